import type { InputKind } from '../../core/session/events.js';
import type { InputAsk } from '../../core/session/inputs.js';

const kinds: Readonly<Record<string, InputKind>> = {
  ExitPlanMode: 'plan_review',
  AskUserQuestion: 'user_question',
};

/** Claude Code asks about a skill because of what it brings: its `allowed-tools`, for example. The call does not show that. */
const reasonOfSkill = 'A skill can let tools run without further approval';

/** The parts of a permission request that both backends fill in the same way. */
export function plainAsk(
  toolName: string,
  toolUseId: string,
  input: InputAsk['input'],
  decisionReason?: string,
): InputAsk {
  // For a tool of an MCP server, a description is a part of what it does.
  const words = toolName.startsWith('mcp__') ? undefined : input['description'];
  // The gate may have another reason to hold a skill, which the agent can bring about by its arguments.
  const reasons = [toolName === 'Skill' ? reasonOfSkill : undefined, decisionReason];
  const reason = reasons.filter((text) => text !== undefined).join('. ');
  return {
    kind: Object.hasOwn(kinds, toolName) ? (kinds[toolName] ?? 'permission') : 'permission',
    toolName,
    toolUseId,
    input,
    ...(typeof words === 'string' && words !== '' ? { claudeSays: words } : {}),
    ...(reason === '' ? {} : { reason }),
  };
}
