import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { BackendHost } from '../../core/claude/backend.js';
import { gateTimeoutSeconds, HostCallbacks } from '../gate/host-callbacks.js';

/** Everything that Claude Code can ask of its host, as the SDK passes it on. */
export function callbacksFor(
  host: BackendHost,
  interrupt: () => void,
): Pick<Options, 'canUseTool' | 'onUserDialog' | 'onElicitation' | 'hooks'> {
  const callbacks = new HostCallbacks(host, interrupt);
  return {
    canUseTool(toolName, input, { signal, toolUseID: toolUseId, agentID, ...rest }) {
      const { suggestions, decisionReason, blockedPath } = rest;
      return callbacks.canUseTool(
        {
          toolName,
          toolUseId,
          input,
          ...(suggestions === undefined ? {} : { suggestions }),
          ...(decisionReason === undefined ? {} : { decisionReason }),
          ...(blockedPath === undefined ? {} : { blockedPath }),
          ...(agentID === undefined ? {} : { agentId: agentID }),
        },
        signal,
      );
    },
    hooks: {
      PreToolUse: [
        {
          hooks: [
            async (hook, _toolUseId, { signal }) =>
              hook.hook_event_name === 'PreToolUse'
                ? callbacks.beforeTool(
                    {
                      toolName: hook.tool_name,
                      toolUseId: hook.tool_use_id,
                      input: hook.tool_input,
                      cwd: hook.cwd,
                      permissionMode: hook.permission_mode ?? '',
                      ...(hook.agent_id === undefined ? {} : { agentId: hook.agent_id }),
                      ...(hook.agent_type === undefined ? {} : { agentType: hook.agent_type }),
                    },
                    signal,
                  )
                : {},
          ],
          // Fails closed: otherwise an error in the gate would let the call through.
          onFailure: 'block',
          timeout: gateTimeoutSeconds,
        },
      ],
    },
    onUserDialog: async ({ dialogKind }) => callbacks.declineDialog(dialogKind),
    onElicitation: async ({ serverName }) => callbacks.declineElicitation(serverName),
  };
}
