import type { HintWord } from '../shared/define-tool.js';

/** What the session layer calls by the names of the async toolset, by those of this one. In this order. */
export const hintWords: readonly HintWord[] = [
  [
    /^Call claude_code_session with action "list", or start a new one with claude_code\./,
    'Call claude_list_sessions, or start a new one with claude_create_session. One of its list that others have started has a status once claude_send_message has resumed it.',
  ],
  [
    /^Use the resumeToken of the snapshot that claude_code answered with/,
    'These tools take no resumeToken: use claude_code_reply of the toolset "async"',
  ],
  [/; to resume a session that had it, set permissionMode in diskResumeConfig/, ''],
  [/, or give a session that has them diskResumeConfig: \{ allowedTools: \[\] \}/, ''],
  [/claude_code_session with action "list"/g, 'claude_list_sessions'],
  [/while claude_code_check waits/g, 'when you call claude_get_status'],
  [/claude_code_check/g, 'claude_get_status'],
  [/a requestId of its actions/g, 'an inputId of its pendingInputs'],
  [/claude_code_respond/g, 'claude_respond'],
  [/\breply with forkSession\b/g, 'send the message with forkSession'],
  [/\bclaude_code\b/g, 'claude_create_session'],
  [/ with a larger advanced\.sessionInitTimeoutMs/, ''],
  [/, cancel one,/, ', interrupt one,'],
];
