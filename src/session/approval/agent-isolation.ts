import { isAgentTool } from '../../core/claude/claude-tools.js';
import type { ToolCall } from '../../core/claude/gate.js';
import { asText } from '../../core/json.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { ClaudeHome } from '../../history/claude-home.js';
import { agentKey, readDefinedAgents } from '../../history/settings/agent-definitions.js';
import type { JudgedCall } from '../../policy/gate/call.js';

/** Claude Code's own subagents, none of which has a worktree. */
const builtIn: ReadonlySet<string> = new Set(
  ['claude', 'Explore', 'fork', 'general-purpose', 'Plan', 'statusline-setup'].map(agentKey),
);
/** For calls that name none. */
const usual = 'general-purpose';

/** Whether the definition of a subagent makes Claude Code run git before it starts; undefined if it certainly does not. */
export function isolationOf(
  { toolName, input }: Pick<ToolCall, 'toolName' | 'input'>,
  { cwd, settingSources, agents = {} }: Pick<EffectiveOptions, 'cwd' | 'settingSources' | 'agents'>,
  claudeHome: ClaudeHome,
): JudgedCall['isolation'] {
  if (!isAgentTool(toolName)) return undefined;
  const key = agentKey(asText(input['subagent_type']) ?? usual);
  const project = settingSources.includes('project') ? cwd : undefined;
  const { mayIsolate, mayOtherIsolate, isComplete } = readDefinedAgents(claudeHome, project);
  if (mayIsolate.get(key) === true) return 'worktree';
  // Any file may define it, and so may a plugin.
  const isKnown = builtIn.has(key) || mayIsolate.has(key) || Object.keys(agents).map(agentKey).includes(key);
  // Its name is not plain, so it may be this one.
  if (mayOtherIsolate && !isKnown) return 'worktree';
  return isComplete && isKnown ? undefined : 'unknown';
}
