import type { InputKind } from '../../core/session/events.js';
import type { InputAsk } from '../../core/session/inputs.js';

const kinds: Readonly<Record<string, InputKind>> = {
  ExitPlanMode: 'plan_review',
  AskUserQuestion: 'user_question',
};

/** The parts of a permission request that both backends fill in the same way. */
export function plainAsk(toolName: string, toolUseId: string, input: InputAsk['input']): InputAsk {
  // For a tool of an MCP server, a description is a part of what it does.
  const words = toolName.startsWith('mcp__') ? undefined : input['description'];
  return {
    kind: Object.hasOwn(kinds, toolName) ? (kinds[toolName] ?? 'permission') : 'permission',
    toolName,
    toolUseId,
    input,
    ...(typeof words === 'string' && words !== '' ? { claudeSays: words } : {}),
  };
}
