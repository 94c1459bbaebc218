/** The stream-json messages of a Claude Code session, reduced to the fields that are read. */
import { randomUUID } from 'node:crypto';

const MODEL = 'claude-faulty-1';

export function createMessages({ sessionId, permissionMode, mcpServers, version = '2.1.325' }) {
  let session = sessionId;
  let results = 0;
  const stamp = () => ({ uuid: randomUUID(), session_id: session });

  return {
    /** Like /clear: every later message carries the new id. */
    moveToSession(id) {
      session = id;
    },
    started: (prompt) => ({
      type: 'command_lifecycle',
      command_uuid: prompt.uuid,
      state: 'started',
      ...stamp(),
    }),
    init: () => ({
      type: 'system',
      subtype: 'init',
      cwd: process.cwd(),
      tools: ['Bash', 'Read', 'Write'],
      mcp_servers: mcpServers,
      model: MODEL,
      permissionMode,
      slash_commands: [],
      apiKeySource: 'ANTHROPIC_API_KEY',
      claude_code_version: version,
      output_style: 'default',
      agents: [],
      skills: [],
      plugins: [],
      ...stamp(),
    }),
    text: (text) => ({
      type: 'assistant',
      message: {
        id: `msg_${randomUUID()}`,
        type: 'message',
        role: 'assistant',
        model: MODEL,
        content: [{ type: 'text', text }],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
      parent_tool_use_id: null,
      ...stamp(),
    }),
    userText: (text) => ({
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text }] },
      parent_tool_use_id: null,
      ...stamp(),
    }),
    /** `fields` overrides the fields of a successful result. */
    result: (prompt, text, fields = {}) => ({
      type: 'result',
      subtype: 'success',
      is_error: false,
      num_turns: 1,
      result: text,
      stop_reason: 'end_turn',
      terminal_reason: 'completed',
      total_cost_usd: 0.001,
      usage: { input_tokens: 10, output_tokens: 1 },
      modelUsage: {},
      model_usage_since_last_result: {},
      permission_denials: [],
      duration_ms: 5,
      duration_api_ms: 1,
      api_error_status: null,
      user_message_uuid: prompt.uuid,
      user_message_uuids: [prompt.uuid],
      queued_turn_count: 0,
      result_index: results++,
      ...stamp(),
      ...fields,
    }),
    conversationReset: (prompt) => ({
      type: 'conversation_reset',
      // Claude Code sends an id here that is not the new session's. Only the next init contains that one.
      new_conversation_id: randomUUID(),
      trigger: 'clear',
      user_message_uuid: prompt.uuid,
      ...stamp(),
    }),
  };
}

/** The fields that differ in the result of an interrupted turn. */
export const INTERRUPTED = {
  subtype: 'error_during_execution',
  is_error: true,
  result: undefined,
  stop_reason: null,
  terminal_reason: 'aborted_streaming',
  errors: ['[ede_diagnostic] result_type=user'],
};

export const INITIALIZE_RESPONSE = {
  commands: [],
  agents: [],
  output_style: 'default',
  available_output_styles: ['default'],
  models: [],
  account: {},
  pid: process.pid,
  claude_code_version: '2.1.325',
  hook_on_failure_supported: true,
  hooks_applied: true,
};
