import { asList, asText, isObject, type JsonObject } from '../../core/json.js';
import { gateTimeoutSeconds, type HostCallbacks } from '../gate/host-callbacks.js';

const gateId = 'gate';

/** What Claude Code must know before the first prompt: every tool call goes through the gate. */
export const gateHooks: JsonObject = {
  PreToolUse: [
    // Fails closed: otherwise an error in the gate would let the call through.
    { hookCallbackIds: [gateId], timeout: gateTimeoutSeconds, onFailure: 'block' },
  ],
};

/** Answers a request of Claude Code. Throws for one that cannot be answered here. */
export async function answerRequest(
  request: JsonObject,
  callbacks: HostCallbacks,
  signal: AbortSignal,
): Promise<object> {
  const subtype = asText(request['subtype']) ?? 'unknown';
  switch (subtype) {
    case 'can_use_tool':
      return callbacks.canUseTool(toAskedCall(request), signal);
    case 'hook_callback':
      return answerHook(request, callbacks, signal);
    case 'request_user_dialog':
      return callbacks.declineDialog(String(asText(request['dialog_kind'])));
    case 'elicitation':
      return callbacks.declineElicitation(String(asText(request['mcp_server_name'])));
    default:
      throw new Error(`Not supported by this host: ${subtype}`);
  }
}

function toAskedCall(request: JsonObject): Parameters<HostCallbacks['canUseTool']>[0] {
  const { input } = request;
  return {
    toolName: needed(request, 'tool_name'),
    toolUseId: needed(request, 'tool_use_id'),
    input: isObject(input) ? input : {},
    suggestions: asList(request['permission_suggestions']).flatMap(toSuggestion),
    ...optional('decisionReason', request['decision_reason']),
    ...optional('blockedPath', request['blocked_path']),
    ...optional('agentId', request['agent_id']),
  };
}

async function answerHook(
  request: JsonObject,
  callbacks: HostCallbacks,
  signal: AbortSignal,
): Promise<object> {
  const { callback_id: id, input } = request;
  if (id !== gateId || !isObject(input) || input['hook_event_name'] !== 'PreToolUse')
    throw new Error('This hook is unknown');
  return callbacks.beforeTool(
    {
      toolName: needed(input, 'tool_name'),
      toolUseId: needed(input, 'tool_use_id'),
      input: input['tool_input'],
      cwd: needed(input, 'cwd'),
      permissionMode: asText(input['permission_mode']) ?? '',
      ...optional('agentId', input['agent_id']),
      ...optional('agentType', input['agent_type']),
    },
    signal,
  );
}

function toSuggestion(one: unknown): { type: string; behavior?: string; rules: Rule[] }[] {
  if (!isObject(one)) return [];
  const rules = asList(one['rules']).flatMap((rule): Rule[] => {
    const toolName = isObject(rule) ? asText(rule['toolName']) : undefined;
    if (toolName === undefined || !isObject(rule)) return [];
    return [{ toolName, ...optional('ruleContent', rule['ruleContent']) }];
  });
  return [{ type: asText(one['type']) ?? '', ...optional('behavior', one['behavior']), rules }];
}

interface Rule {
  readonly toolName: string;
  readonly ruleContent?: string;
}

function needed(message: JsonObject, key: string): string {
  const text = asText(message[key]);
  if (text === undefined) throw new Error(`${key} is missing`);
  return text;
}

function optional<K extends string>(key: K, value: unknown): Partial<Record<K, string>> {
  const text = asText(value);
  return text === undefined ? {} : ({ [key]: text } as Record<K, string>);
}
