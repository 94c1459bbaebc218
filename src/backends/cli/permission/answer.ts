import type { BackendHost } from '../../../core/claude/backend.js';
import type { InputAnswer } from '../../../core/session/inputs.js';
import { plainAsk } from '../../shared/asks.js';
import { namedUpdates } from '../../shared/updates.js';
import { deny, permissionTool, type PermissionQuestion } from './protocol.js';

/** Asks the session, and translates its answer for Claude Code. */
export async function answerQuestion(
  { tool_name: toolName, tool_use_id: toolUseId, input }: PermissionQuestion,
  signal: AbortSignal,
  { host, permissionMode }: { readonly host: BackendHost; readonly permissionMode: string },
): Promise<object> {
  // Subagents see this tool, too. By calling it, they could request approval for calls that do not exist.
  if (toolName === permissionTool) return deny('This tool is only for Claude Code itself.');
  // Too late to stop calls that Claude Code's own rules allow, but early enough to keep an old grant from answering.
  const decision = host.judge({ toolUseId, toolName, input, permissionMode });
  // A plan review needs no reason.
  const reason = decision === 'pass' || toolName === 'ExitPlanMode' ? {} : { reason: decision.ask };
  return toVerdict(await host.onAsk({ ...plainAsk(toolName, toolUseId, input), ...reason }, signal), input);
}

function toVerdict(answer: InputAnswer, input: PermissionQuestion['input']): object {
  if (answer.decision === 'deny') {
    return {
      behavior: 'deny',
      message: answer.message,
      ...(answer.interrupt ? { interrupt: true } : {}),
    };
  }
  const updatedPermissions = namedUpdates(answer);
  return {
    behavior: 'allow',
    updatedInput: answer.updatedInput ?? input,
    ...(updatedPermissions.length === 0 ? {} : { updatedPermissions }),
  };
}
