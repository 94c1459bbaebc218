import { isToolOf } from '../../core/claude/server-prefix.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { ServerOrigin } from '../../core/session/inputs.js';
import type { ClaudeHome } from '../../history/claude-home.js';
import { addressOf, readConfiguredServers } from '../../history/configured-servers.js';

/** Who brought the MCP server of a tool, and where it is; undefined for Claude Code's own tools. */
export function serverOriginOf(
  toolName: string,
  options: EffectiveOptions,
  claudeHome: ClaudeHome,
): ServerOrigin | undefined {
  if (!toolName.startsWith('mcp__')) return undefined;
  const ofCaller = callerServers(options).find(([name]) => isToolOf(toolName, name));
  if (ofCaller !== undefined) return { broughtBy: 'caller', address: addressOf(ofCaller[1]) };
  const isTrusted = options.settingSources.includes('project');
  const [configured] = Object.entries(readConfiguredServers(claudeHome, options.cwd, isTrusted))
    .filter(([name]) => isToolOf(toolName, name))
    .toSorted(([one], [other]) => other.length - one.length);
  return { broughtBy: 'user', address: configured?.[1] ?? '' };
}

/** The servers of the session, and those of its subagents. */
function callerServers({ mcpServers = {}, agents = {} }: EffectiveOptions): [string, unknown][] {
  const ofAgents = Object.values(agents).flatMap((agent) => agent.mcpServers ?? []);
  return [mcpServers, ...ofAgents].flatMap((servers) =>
    typeof servers === 'string' ? [] : Object.entries<unknown>(servers),
  );
}
