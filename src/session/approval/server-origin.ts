import { isToolOf, serverPrefix } from '../../core/claude/server-prefix.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { InputAsk, ServerOrigin } from '../../core/session/inputs.js';
import type { ClaudeHome } from '../../history/claude-home.js';
import { addressOf, readConfiguredServers } from '../../history/settings/configured-servers.js';

/** Who brought the MCP server of a call, and where it is; undefined for calls that need no such server. */
export function serverOriginOf(
  call: Pick<InputAsk, 'toolName' | 'input'>,
  options: EffectiveOptions,
  claudeHome: ClaudeHome,
): ServerOrigin | undefined {
  const toolName = serverToolOf(call);
  if (toolName === undefined) return undefined;
  const ofCaller = callerServers(options).find(([name]) => isToolOf(toolName, name));
  if (ofCaller !== undefined) return { broughtBy: 'caller', address: addressOf(ofCaller[1]) };
  const isTrusted = options.settingSources.includes('project');
  const [configured] = Object.entries(readConfiguredServers(claudeHome, options.cwd, isTrusted))
    .filter(([name]) => isToolOf(toolName, name))
    .toSorted(([one], [other]) => other.length - one.length);
  return { broughtBy: 'user', address: configured?.[1] ?? '' };
}

/** The name of a tool of the server: Claude Code reads resources with its own tools, which name the server. */
function serverToolOf({
  toolName,
  input: { server },
}: Pick<InputAsk, 'toolName' | 'input'>): string | undefined {
  if (toolName.startsWith('mcp__')) return toolName;
  const isReading = toolName === 'ReadMcpResourceTool' || toolName === 'ReadMcpResourceDirTool';
  return isReading && typeof server === 'string' ? `mcp__${serverPrefix(server)}__` : undefined;
}

/** The servers of the session, and those of its subagents. */
function callerServers({ mcpServers = {}, agents = {} }: EffectiveOptions): [string, unknown][] {
  const ofAgents = Object.values(agents).flatMap((agent) => agent.mcpServers ?? []);
  return [mcpServers, ...ofAgents].flatMap((servers) =>
    typeof servers === 'string' ? [] : Object.entries<unknown>(servers),
  );
}
