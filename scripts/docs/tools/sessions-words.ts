import type { Status } from '../../../src/toolsets/sessions/status.js';
import type { ToolWords } from './section.js';

const sessionId = '902fd768-6de4-4092-9b19-32c81e07330c';

export const sessionsWords: Readonly<Record<string, ToolWords>> = {
  claude_create_session: {
    example: {
      call: { prompt: 'Do the tests pass?', workingDirectory: '/home/me/parser' },
      answer: { sessionId, status: 'running' },
    },
    fields: {
      prompt: 'Task, sent as plain text: `@path` and `/command` have no effect.',
      attachments:
        'Files that go with the prompt, as for `attachments` of [claude_code](async.md#claude_code). Default: none.',
      workingDirectory:
        "Working folder, an absolute path. Default: `CLAUDE_CODE_DEFAULT_CWD`, else `CLAUDE_PROJECT_DIR`, else the server's own folder.",
      model: "Model name or alias. Default: the user's.",
      permissionMode:
        "Permission mode of Claude Code. Default: the user's setting, else `default`. `bypassPermissions` is refused unless the operator allows it.",
      allowedTools: "Tools or rules that run without approval, within the operator's limits. Default: none.",
      disallowedTools: 'Tools or rules that never run, no matter who approves. Default: none.',
      maxTurns: 'Maximum number of model turns per message. Default: no limit.',
      maxBudgetUsd: 'Maximum cost of the whole session, across all its processes. Default: no limit.',
      systemPrompt: "Text to append to Claude Code's system prompt. Default: none.",
      dangerouslySkipPermissions:
        'The same as `permissionMode: "bypassPermissions"`, under the same conditions. Default: `false`.',
    },
    notes:
      'The answer has `projectSettings` if files of an untrusted folder, such as CLAUDE.md, were not loaded.',
  },
  claude_send_message: {
    example: {
      call: { sessionId, message: 'Which test is slow?' },
      answer: { sessionId, status: 'running' },
    },
    fields: {
      sessionId: 'Session of this server, of an earlier one, or from `claude_list_sessions`.',
      attachments:
        'Files that go with the message, as for `attachments` of [claude_code](async.md#claude_code). Such a message does not join a running turn, but runs afterwards. Default: none.',
      message:
        'Next message, sent as plain text. It joins a running turn; otherwise the session continues with its history and options.',
      forkSession:
        'Continue in a copy and return its id. The original does not change. Use this for a session that another process has open. Default: `false`.',
    },
  },
  claude_get_status: {
    example: {
      call: { sessionId },
      answer: {
        sessionId,
        status: 'waiting_for_input',
        recentOutput: [],
        pendingInputs: [
          {
            inputId: 'OE3NxnB2',
            type: 'permission',
            toolName: 'Bash',
            toolInput: { command: 'npm test', description: 'Run the tests' },
            description:
              'Bash: `npm test`. Claude says: "Run the tests". Reason: "This command requires approval"',
          },
        ],
        toolUseEvents: [{ toolName: 'Bash', status: 'running' }],
        turnCount: 1,
        cursor: 2,
      },
    },
    fields: {
      sessionId:
        'Session of this server, of an earlier one, or from `claude_list_sessions`. The content of a session that someone else started requires `CLAUDE_CODE_MCP_HISTORY=read`.',
      cursor:
        '`cursor` of the last answer. The answer then has only what is new since, and all `pendingInputs`; lists without news, and `sessionId`, are left out.',
      outputLines: 'Maximum number of lines in `recentOutput`; fewer if they do not fit. Default: 50.',
      inputId:
        'Return the whole input of this pending input as JSON text, in pages, instead of the status. Hidden characters are escaped as in JSON (`\\u200b`); in `toolInput` and `description` they are shown as `\\u{200b}`.',
      resultOffset:
        'Return the whole result, or with `inputId` the input, from this character on, instead of the status.',
      outputOffset:
        'Return everything that Claude said in the session, from this character on, instead of the status. Of a session that someone else started, without `CLAUDE_CODE_MCP_HISTORY=read`: what Claude has said since this server continued it, each text with at most 16,000 characters.',
    },
    notes:
      'Pass `cursor` in every call but the first: otherwise each answer repeats the last 50 lines and 20 tool calls. With a cursor, text appears when Claude has finished it. `droppedEvents` counts events since then that are no longer stored. A page has `text`, `offset`, `totalChars`, and `nextOffset` while there is more. A page of a result names its `turn`: if it differs from that of the page before, a newer result has replaced the one you read. If a status is truncated, `readMore`, `readMoreOutput` and `readMoreKeptPrompts` name the call that reads the rest. A status also has `runsIn` (another server that runs the session, by its process id), `keptPrompts` (messages that were queued when an earlier server stopped, or when the turn before them crashed or reached a time limit, and run only if you send them again), `voidRequests` (pending inputs that ended with an earlier server), `notSaved` (why the session is not saved) and `notRestored` (options that are no longer in force after a restart), where they apply.',
  },
  claude_respond: {
    example: {
      call: { sessionId, inputId: 'OE3NxnB2', decision: 'allow' },
      answer: { sessionId, status: 'running' },
    },
    fields: {
      sessionId: 'Session that asks.',
      inputId: 'Request to answer, from `pendingInputs`.',
      decision: '`allow` runs the call, `deny` does not.',
      reason: 'With `deny`: message to Claude. For a `plan_review`: what to change.',
      updatedInput:
        'With `allow`. For a `permission`: run this input instead. For a `plan_review`: `{ plan }`, approve this text instead. For a `user_question`: `{ answers }`, a list in the order of the questions or an object that maps each question to its answer. An answer is a label, free text, or a list if several can be chosen.',
    },
  },
  claude_interrupt: {
    example: { call: { sessionId }, answer: { sessionId, status: 'interrupted' } },
    fields: { sessionId: 'Session whose turn to stop. If no turn runs, nothing changes.' },
    notes:
      'If messages were still waiting for the end of the turn, they are dropped, and `droppedPrompts` is their number. Send them again if they are to run.',
  },
  claude_list_sessions: {
    example: {
      call: { projectDirectory: '/home/me/parser', limit: 1 },
      answer: {
        sessions: [
          {
            sessionId,
            projectDirectory: '/home/me/parser',
            displayText: 'Do the tests pass?',
            timestamp: '2026-11-15T09:00:12.786Z',
            isActive: true,
            activeStatus: 'completed',
          },
        ],
      },
    },
    fields: {
      projectDirectory: 'Only sessions that started in this folder, an absolute path.',
      limit: 'Maximum number of sessions, the latest first; fewer if they do not fit. Default: 50.',
      offset: 'Number of sessions to skip. `message` says where to continue. Default: 0.',
    },
    notes:
      '`isActive` means that this server has a process for the session; `activeStatus` is then its status. `message` says what was left out. With `CLAUDE_CODE_MCP_HISTORY=off` the list contains only sessions of this server.',
  },
};

export const sessionsStatuses: Readonly<Record<Status, string>> = {
  running: 'A turn is running.',
  waiting_for_input: 'A turn is running, and `pendingInputs` has its requests.',
  completed: 'The last turn ended.',
  interrupted: 'The last turn was interrupted, or `claude_code_session` cancelled the session.',
  error: 'The last turn failed; `error` has the reason and the next step.',
};

export const statusFields: readonly (readonly [string, string])[] = [
  ['sessionId, status', 'As in every answer. With a cursor, `sessionId` is left out.'],
  ['error', 'With status `error`: what happened and what to do.'],
  [
    'result',
    "With status `completed`: Claude's final text. The rest of the answer takes the remaining room.",
  ],
  ['readMore', 'If `result` or `error` was truncated: the call that reads the rest.'],
  [
    'startedBy',
    'Set if `result` answers no message: `claude_code` began the turn by itself, or it was a `rewind` of files.',
  ],
  [
    'recentOutput',
    'Last lines that Claude wrote, oldest first, including, without a cursor, text it is still writing.',
  ],
  [
    'readMoreOutput',
    'If `recentOutput` was truncated, or has fewer lines because earlier ones are no longer stored or, with a cursor, has not all new lines: the call that reads all output.',
  ],
  ['note', 'If the operator does not let callers read the session: why its content is missing.'],
  [
    'pendingInputs',
    'Open requests: `inputId`, `type` (`permission`, `plan_review` or `user_question`), `toolName`, `toolInput` and a one-line `description`. Long texts in `toolInput` are truncated in the middle; `readMore` then names the call that reads the whole input.',
  ],
  ['morePendingInputs', 'Number of open requests that are not shown.'],
  [
    'toolUseEvents',
    'The last 20 tools used, oldest first; with a cursor, those that began or ended since: `toolName` and `status` (`running`, `denied`, or `completed` for both success and failure).',
  ],
  ['moreToolUseEvents', 'Number of earlier tool uses that are not shown.'],
  ['cursor', 'Pass this to the next `claude_get_status`.'],
  [
    'droppedEvents',
    'Number of events of the session, or with a cursor since then, that are no longer stored: texts and tools used may be missing.',
  ],
  ['costUsd', 'Cost of the session, after its first turn.'],
  [
    'turnCount',
    'Responses of the model so far, including those in the running turn. Absent before the first.',
  ],
];
