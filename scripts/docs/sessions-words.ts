import type { Status } from '../../src/toolsets/sessions/status.js';
import { code, table } from '../../src/toolsets/reference/markdown.js';

/** What the reference says about the fields of the toolset `sessions`. */
export const sessionsFieldWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude_create_session: {
    prompt: 'The task, sent as text: `@path` and `/command` in it mean nothing.',
    workingDirectory:
      "The folder to work in, an absolute path. Default: `CLAUDE_CODE_DEFAULT_CWD`, else `CLAUDE_PROJECT_DIR`, else the server's own folder.",
    model: "The model, by name or alias. Default: the user's.",
    permissionMode:
      "Claude Code's permission mode. Default: the user's configured mode, else `default`. `bypassPermissions` is refused unless the operator allows it.",
    allowedTools: 'Tools or rules that run without asking, as far as the operator allows it. Default: none.',
    disallowedTools: 'Tools or rules that never run, whoever approves. Default: none.',
    maxTurns: 'Model turns for each message. Default: no limit.',
    maxBudgetUsd: 'What the whole session may cost, over all its processes. Default: no limit.',
    systemPrompt: "A text that is added to Claude Code's own system prompt. Default: none.",
    dangerouslySkipPermissions:
      'Another way to say `permissionMode: "bypassPermissions"`, under the same conditions. Default: `false`.',
  },
  claude_send_message: {
    sessionId:
      'The session: one of this server, of an earlier one, or one that `claude_list_sessions` shows.',
    message:
      'The next message, sent as text. While a turn runs it joins that turn; otherwise the session goes on with its history and its options.',
    forkSession:
      'Go on in a copy, whose id is answered; the original stays as it is. The way to a session that another process has open. Default: `false`.',
  },
  claude_get_status: {
    sessionId: 'The session. One that others have started has a status here once a message has resumed it.',
    outputLines: 'How many lines of `recentOutput` to show. Default: 50.',
  },
  claude_respond: {
    sessionId: 'The session that asks.',
    inputId: 'The request, from `pendingInputs`.',
    decision: '`allow` runs it, `deny` does not.',
    reason: 'With `deny`: told to Claude. For a `plan_review`: what to change.',
    updatedInput:
      'With `allow`. For a `permission`: run this input instead. For a `plan_review`: `{ plan }`, to approve this text instead. For a `user_question`: `{ answers }`, a list in the order of the questions or an object from question text to answer; each answer is a label, free text, or a list where several may be chosen.',
  },
  claude_interrupt: { sessionId: 'The session whose turn to stop. Without a turn nothing changes.' },
  claude_list_sessions: {
    projectDirectory: 'Only sessions that were begun in this folder, an absolute path.',
    limit: 'How many to show, the latest first. Default: 50, as far as they fit into one answer.',
    offset: 'How many of the latest to leave out: `message` says where to go on. Default: 0.',
  },
};

const statuses: Readonly<Record<Status, string>> = {
  running: 'A turn is running.',
  waiting_for_input: 'A turn is running, and `pendingInputs` holds what it asks for.',
  completed: 'The last turn has ended.',
  interrupted: 'The last turn was interrupted, or the session was cancelled by `claude_code_session`.',
  error: 'The last turn failed; `error` says why and what to do.',
};

const statusFields: readonly (readonly [string, string])[] = [
  ['sessionId, status', 'As in every answer.'],
  ['error', 'While the status is `error`: what happened and what to do.'],
  ['result', "While the status is `completed`: Claude's last words."],
  [
    'recentOutput',
    'The last lines that Claude has written, oldest first, also of a text that it is still writing.',
  ],
  [
    'pendingInputs',
    'The open requests, each with `inputId`, `type` (`permission`, `plan_review` or `user_question`), `toolName`, `toolInput` and a `description` in one line. Long texts in `toolInput` are cut in the middle.',
  ],
  ['morePendingInputs', 'How many open requests are not shown, when there are very many.'],
  [
    'toolUseEvents',
    'The tools that were used, oldest first, each with `toolName` and `status`: `running`, `completed` (over, well or badly) or `denied`.',
  ],
  ['moreToolUseEvents', 'How many earlier ones are not shown.'],
  ['costUsd, turnCount', 'Cost and model turns of the session so far, once its first turn is over.'],
];

/** The part of the tools page that is about the answers of the toolset `sessions`. */
export function sessionsAnswers(): string {
  return `They answer \`{ sessionId, status }\`, and \`error\` while the status is \`error\`. \`claude_get_status\` adds to that:

${rows(statusFields)}

The status is one of these:

${rows(Object.entries(statuses))}

\`claude_create_session\` says in \`projectSettings\` when the settings of an untrusted folder were not loaded.
\`claude_list_sessions\` answers \`{ sessions, message }\`: each session with \`sessionId\`, \`projectDirectory\`,
\`displayText\`, \`timestamp\`, \`isActive\` (this server has a process for it) and then \`activeStatus\`; \`message\` says
what was left out. With \`CLAUDE_CODE_MCP_HISTORY=off\` it shows the sessions of this server only.

A client of the 2026 protocol that can show forms gets the form for an open request from \`claude_get_status\` and
\`claude_send_message\`; with older protocols it is shown at any time.`;
}

function rows(lines: readonly (readonly [string, string])[]): string {
  return table(
    ['Name', 'Meaning'],
    lines.map(([names, words]) => [names.split(', ').map(code).join(', '), words]),
  );
}
