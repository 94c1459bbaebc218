import type { HookCallback, Options } from '@anthropic-ai/claude-agent-sdk';
import type { BackendHost } from '../../core/backend.js';
import type { InputKind } from '../../core/events.js';
import type { InputAsk } from '../../core/inputs.js';
import { isRecord } from './json.js';

const kinds: Readonly<Record<string, InputKind>> = {
  ExitPlanMode: 'plan_review',
  AskUserQuestion: 'user_question',
};

/** Everything Claude Code can ask of its host. What nobody can answer here is declined and reported, never left open. */
export function callbacksFor(
  host: BackendHost,
): Pick<Options, 'canUseTool' | 'onUserDialog' | 'onElicitation' | 'hooks'> {
  const report = (text: string): void =>
    host.onSignal({ type: 'event', event: { type: 'status', text } }, undefined);
  return {
    async canUseTool(toolName, input, options) {
      const answer = await host.onAsk(toAsk(toolName, input, options), options.signal);
      if (answer.decision === 'deny') {
        return { behavior: 'deny', message: answer.message, interrupt: answer.interrupt };
      }
      const { updatedInput = input, nextMode } = answer;
      return {
        behavior: 'allow',
        updatedInput: { ...updatedInput },
        ...(nextMode === undefined
          ? {}
          : { updatedPermissions: [{ type: 'setMode', mode: nextMode, destination: 'session' }] }),
      };
    },
    // A gate that fails blocks: without `onFailure` an error in it would let the call through.
    hooks: { PreToolUse: [{ hooks: [gate(host)], onFailure: 'block' }] },
    onUserDialog(request) {
      report(`Claude Code opened a dialog (${request.dialogKind}), which was cancelled`);
      return Promise.resolve({ behavior: 'cancelled' });
    },
    onElicitation(request) {
      report(`The MCP server ${request.serverName} asked for input, which was cancelled`);
      return Promise.resolve({ action: 'cancel' });
    },
  };
}

/** Sees every tool call before Claude Code's rules do: `ask` holds against allow rules and a repository's hooks. */
function gate(host: BackendHost): HookCallback {
  return (hook) => {
    if (hook.hook_event_name !== 'PreToolUse') return Promise.resolve({});
    const { tool_name: toolName, tool_input: input, permission_mode: permissionMode = '' } = hook;
    const decision = host.judge({ toolName, input: isRecord(input) ? input : {}, permissionMode });
    if (decision === 'pass') return Promise.resolve({});
    return Promise.resolve({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: decision.ask,
      },
    });
  };
}

function toAsk(
  toolName: string,
  input: Record<string, unknown>,
  options: Parameters<NonNullable<Options['canUseTool']>>[2],
): InputAsk {
  const words = input['description'];
  return {
    kind: Object.hasOwn(kinds, toolName) ? (kinds[toolName] ?? 'permission') : 'permission',
    toolName,
    toolUseId: options.toolUseID,
    input,
    ...(typeof words === 'string' && words !== '' ? { claudeSays: words } : {}),
    ...(options.decisionReason === undefined ? {} : { reason: options.decisionReason }),
    ...(options.blockedPath === undefined ? {} : { blockedPath: options.blockedPath }),
    ...(options.agentID === undefined ? {} : { agentId: options.agentID }),
  };
}
