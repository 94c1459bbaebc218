import type { ToolWords } from './section.js';

const sessionId = '0ce8f191-ed07-4899-80fc-4df1b95b91a6';
const title = 'parser tests';

const firstResult = {
  result: 'All 12 tests pass.',
  isError: false,
  outcome: 'completed',
  turn: 1,
  durationMs: 8422,
  numTurns: 2,
  totalCostUsd: 0.0088,
  sessionTotalTurns: 2,
  sessionTotalCostUsd: 0.0088,
};

const waitLimit = 'Capped at what the client allows, or at `CLAUDE_CODE_MCP_MAX_WAIT_MS`.';

export const asyncWords: Readonly<Record<string, ToolWords>> = {
  claude_code: {
    example: {
      call: { prompt: 'Do the tests pass?', cwd: '/home/me/parser', title },
      answer: {
        sessionId,
        status: 'running',
        activity: 'waiting for the model',
        pollInterval: 5000,
        cursor: 0,
      },
    },
  },
  claude_code_reply: {
    example: {
      call: { sessionId, prompt: 'Which test is slow?', waitMs: 30_000 },
      answer: {
        sessionId,
        status: 'idle',
        result: {
          result: 'The slowest test is parser.test.ts (4.1 s).',
          isError: false,
          outcome: 'completed',
          turn: 2,
          durationMs: 2143,
          numTurns: 1,
          totalCostUsd: 0.0044,
          sessionTotalTurns: 3,
          sessionTotalCostUsd: 0.0132,
        },
        cursor: 8,
      },
    },
    fields: {
      sessionId: 'Session to continue.',
      prompt: 'Next prompt, sent as plain text like the first.',
      attachments:
        'Files that go with the prompt, as for `claude_code`. They are read when the call is accepted, even if the prompt waits.',
      resumeInterrupted:
        'Run the turn again that ended with an earlier server, instead of a new prompt. Its files are read again, and it asks for its permissions again.',
      forkSession:
        'Continue in a copy. The copy has its own id and starts with a cost of zero. The original does not change. Default: `false`.',
      whenBusy:
        'What to do while a turn runs. `reject` (default) fails with `SESSION_BUSY`. `queue` runs the prompt as a separate turn afterwards; up to ten prompts can wait, with at most 3.4 MB of text together. `steer` adds it to the running turn, but runs it afterwards if it has attachments, or if the turn runs more without approval than you could request.',
      waitMs: `Time to wait for a result or a request. Default: 0. ${waitLimit}`,
      timeoutMs: 'Time limit of this turn. Default: that of the session, which also applies to a fork.',
      maxTurns: 'Maximum number of model turns per prompt, from now on. Default: that of the session.',
      maxBudgetUsd: 'Maximum cost of the whole session, from now on. Default: that of the session.',
      resumeToken:
        'Token from the first snapshot. Required if the operator signs tokens and this server has no record of the session.',
      diskResumeConfig:
        'Any start option, by its own name and without `advanced`, for this turn and later ones; `null` unsets one, but a session without `model` keeps the model that it last had. The process is replaced. Also `resumeSessionAt`: uuid of the message to continue from. A session stays in its folder.',
    },
  },
  claude_code_check: {
    example: {
      call: { sessionId, cursor: 0 },
      answer: {
        sessionId,
        status: 'waiting',
        actions: [
          {
            requestId: 'rPB_P-Ex',
            type: 'permission',
            toolName: 'Bash',
            input: { command: 'npm test', description: 'Run the tests' },
            reason: 'This command requires approval',
            grant:
              'allow_for_session: this exact call and every call that matches `Bash(npm test *)`, until the session ends',
            accepts: ['allow', 'allow_for_session', 'deny'],
            expiresAt: '2026-11-15T09:01:57.079Z',
          },
        ],
        cursor: 2,
      },
    },
    fields: {
      sessionId: 'Session to watch. Pass either this or `sessionIds`.',
      sessionIds: 'Several sessions to watch at once.',
      waitFor:
        'With `sessionIds`: `any` (default) returns when any session has news, `all` when no session is running.',
      cursor:
        '`cursor` of the last snapshot: a number for one session, text for several. Only later events count as news, and the answer leaves out what earlier ones said, such as `sessionId`. Without it, the current state counts.',
      waitMs: `Time to wait for news. Default: 30,000. ${waitLimit}`,
      maxEvents: 'Maximum number of events, with `include: ["events"]`. Default: 50.',
      include:
        'Additional content. `events`: what happened after the cursor. `tools`: the tools of Claude Code. `usage`: tokens and API time of the result.',
      requestId: 'Return the full input of this open request in pages, instead of a snapshot.',
      resultOffset:
        'Return the full result, or with `requestId` the full input, from this character on. The answer has `nextOffset` while there is more. A page of a result names its `turn`: if it differs from that of the page before, a newer result has replaced the one you read, which the action `transcript` of `claude_code_session` still has.',
    },
    notes: `With \`sessionIds\` the answer is \`{ sessions, cursor }\`: a list of snapshots and one cursor for all of them. With many sessions, some may be reduced to \`sessionId\`, \`status\` and the number of open \`requests\`. Check such a session on its own.`,
  },
  claude_code_respond: {
    example: {
      call: { requestId: 'rPB_P-Ex', decision: 'allow' },
      answer: { sessionId, status: 'idle', result: firstResult, cursor: 6 },
    },
    fields: {
      requestId: 'Request to answer, from `actions` of a snapshot.',
      decision:
        '`allow` runs the call, `deny` does not. `allow_for_session` also allows the same call again, and what `grant` of the request describes, for the rest of the session and its forks.',
      sessionId: 'Optional check that the request belongs to this session.',
      message: 'With `deny`: message to Claude. Default: "The caller denied this."',
      interrupt:
        'With `deny`: also stop the turn. Claude Code then drops `message`: write what Claude should know into the next prompt. Default: `false`.',
      answers:
        'For a `user_question`, with `allow`: answers by the text of the question, or by its number from 0. An answer is a label, free text, a list if several can be chosen, or `{ answer, notes }`.',
      plan: 'For a `plan_review`, with `allow`: approve this text instead.',
      nextMode:
        'For a `plan_review`, with `allow`: permission mode to continue in, `default` or `acceptEdits`. Default: the mode before plan mode.',
      updatedInput:
        'With `allow`: run this input instead. For a `user_question`: the input with `answers` added, an object from question text to answer.',
      updatedPermissions:
        'With `allow`: changes for the rest of this session: `{ type: "addRules", rules: [{ toolName, ruleContent? }] }`, `{ type: "setMode", mode }` or `{ type: "addDirectories", directories }`. Rules are limited to what `allowedTools` could contain, unless `behavior` is `"deny"`: these calls never run again, no matter who approves.',
      waitMs: `Time to wait for the next result or request. Default: 30,000. ${waitLimit}`,
    },
  },
  claude_code_session: {
    example: {
      call: { action: 'list' },
      answer: {
        sessions: [
          {
            sessionId,
            title,
            status: 'idle',
            outcome: 'completed',
            turn: 2,
            totalCostUsd: 0.0132,
            totalTokens: 3060,
            lastUsedAt: '2026-11-15T09:02:11.772Z',
            cwd: '/home/me/parser',
          },
        ],
      },
    },
    fields: {
      action: 'What to do; see the table below.',
      sessionId: 'Session. Required for every action except `list`.',
      scope:
        'With `list`: `server` (default) lists the sessions of this server and of earlier and other servers on the same state folder, `disk` those that Claude Code has on disk, including terminal sessions, and `all` both. `disk` and `all` require `CLAUDE_CODE_MCP_HISTORY` other than `off`.',
      projectDirectory: 'With `list`: only sessions that started in this folder.',
      query:
        'With `list`: only sessions whose title, first prompt or folder contains this text, ignoring case.',
      limit: 'With `list` and `transcript`: maximum number of entries. Default: 20.',
      offset:
        'With `list` and `transcript`: number of entries to skip. With `transcript` and `messageId`, `get`, and `rewind` with `dryRun`: return a page of text from this character on; see below. Default: 0. Continue with `nextOffset`; that of a transcript is a place in its file, so new messages do not move it.',
      order: 'With `transcript`: which message comes first. Default: `newest`.',
      includeSensitive:
        'With `list`, `get` and `cancel`: also return `systemPrompt`, `agents` and `additionalDirectories`. Requires `CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS`. Default: `false`.',
      model: 'With `configure`: model name or alias. A running turn continues with it.',
      permissionMode:
        'With `configure`: permission mode, subject to the same rules as at the start. Without a live process, it applies from the next one.',
      messageId:
        'With `transcript`: return this message in full. With `rewind`: uuid of a message with role `user`, from `transcript`. The session must have been started with `enableFileCheckpointing`.',
      dryRun: 'With `rewind`: only report which files would change, and by how many lines. Default: `false`.',
    },
    notes: `| \`action\` | What it does | Answer |
| --- | --- | --- |
| \`list\` | Lists sessions, the latest first | \`{ sessions, message }\` |
| \`get\` | Shows one session | snapshot with times, totals and options |
| \`transcript\` | Pages through the messages | \`{ sessionId, messages, nextOffset, total }\` |
| \`configure\` | Changes the model or permission mode from now on | snapshot |
| \`rewind\` | Restores files to their state before a prompt | snapshot with a request to approve |
| \`interrupt\` | Stops the turn, and subagents in the background; a reply continues the session | snapshot |
| \`cancel\` | Ends the session for good | snapshot |

**list.** Each session has its \`title\`, or else its \`firstPrompt\`. A session of this or another server has \`status\`, \`turn\` (the number of its latest turn), \`totalCostUsd\` and \`totalTokens\`, \`outcome\` if no turn is running, and \`runsIn\` while another server runs its turn. Every session has its folder, \`cwd\`. A session on disk has \`origin\` (\`terminal\` or \`program\`) and \`bytes\`. It has \`ownerPid\` while another process has it open.

**get.** The snapshot also has \`createdAt\`, \`lastUsedAt\`, the number of the latest \`turn\`, \`totalCostUsd\`, \`sessionTotalTurns\`, \`totalTokens\`, \`options\`, \`cwd\` and \`tokens\` (\`input\`, \`output\`, \`cacheRead\`, \`cacheWrite\`). While Claude Code is running it has \`contextUsage\` (\`totalTokens\`, \`maxTokens\`, \`percentage\`) and \`mcpServers\` (\`name\`, \`status\`, \`error\`). If one of these is truncated, \`readMore\` names the call that reads all of them: with \`offset\` the answer is a page of their JSON text, \`{ sessionId, text, offset, totalChars, nextOffset }\`, with \`keptPrompts\` and all \`changedFiles\` of the last turn.

**transcript.** A page reads only its own part of the file; \`total\` is missing if the transcript is larger than 1 MB. Long texts are truncated in the middle. With \`messageId\` the answer is a page of that message as text, with the inputs of the tools that it calls: \`{ sessionId, messageId, text, offset, totalChars, nextOffset }\`. Each message has \`uuid\`, \`role\`, \`at\`, \`text\` and \`tools\` (names of the tools it calls). The role is \`user\` for a prompt, \`assistant\` for Claude, and \`tool_result\` for the result of a tool. Messages come in the order of the file, including those that a later \`resumeSessionAt\` left behind. Messages of subagents and internal notes are omitted. Sessions that this server did not start require \`CLAUDE_CODE_MCP_HISTORY=read\`.

**rewind.** With \`dryRun\`, or if there is nothing to restore, the answer is \`{ sessionId, messageId, insertions, deletions, files }\`. If not all files fit, \`moreFiles\` counts the others, and with \`offset\` the answer is a page of all paths, one per line. Otherwise the snapshot has a request with the tool name \`Rewind\`. After approval the files are restored, and the result names them. A session of someone else that this server has continued needs \`CLAUDE_CODE_MCP_HISTORY=read\`, because only its transcript has the uuids.

**configure, cancel.** If the session has no process on this server, both fail with \`SESSION_BUSY\` while another server or a terminal has it open, and with \`UNAVAILABLE\` if the state folder is not writable.`,
  },
};

/** `claude_code_check` of the four-tool mode. */
export const fourToolsWords: ToolWords = {
  example: {
    call: { action: 'respond_permission', sessionId, requestId: 'rPB_P-Ex', decision: 'allow' },
    answer: { sessionId, status: 'idle', result: firstResult, cursor: 6 },
  },
  fields: {
    action:
      '`poll` watches. `respond_permission` and `respond_user_input` answer a request and wait for the next result or request.',
    sessionId: 'Session.',
    cursor: 'With `poll`: `cursor` of the last snapshot.',
    responseMode: '`full` adds events to the answer. Default: `minimal`.',
    requestId:
      'Request to answer, from `actions` of a snapshot. With `poll`: return its full input, in pages.',
    decision: 'Required for `respond_permission`. `respond_user_input` allows by default.',
    denyMessage: 'With `deny`: message to Claude.',
    interrupt:
      'With `deny`: also stop the turn. Claude Code then drops `denyMessage`: write what Claude should know into the next prompt. Default: `false`.',
    answers: 'With `respond_user_input`: answers, in the same form as for `claude_code_respond`.',
    pollOptions:
      'How long to wait, and what to include. `resultOffset` returns the full result, or with `requestId` the full input, from this character on.',
    permissionOptions:
      '`updatedInput`: run this input instead. `updatedPermissions`: changes for the rest of the session. `plan` and `nextMode`: as for `claude_code_respond`.',
  },
};
