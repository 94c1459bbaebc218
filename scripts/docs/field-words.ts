import { sessionsFieldWords } from './sessions-words.js';

/**
 * What the reference says about a field beyond the few words that travel to every model. What starts a session is not
 * here: callers can read that reference too, so its words are in src/core/options and src/toolsets/reference.
 */
export const fieldWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude_code_reply: {
    sessionId: 'The session to go on with.',
    prompt: 'The next prompt, sent as text like the first.',
    forkSession:
      'Go on in a copy. The copy has an id of its own and starts with a cost of zero; the original stays as it is.',
    whenBusy:
      'What to do while a turn runs. `reject` (the default) answers `SESSION_BUSY`. `queue` runs the prompt as a turn of its own afterwards; ten can wait. `steer` adds it to the running turn.',
    waitMs: "How long to wait for a result or a request. Default: 0. Cut to the operator's limit.",
    timeoutMs: 'How long this turn may run. Default: that of the session, which is also what a fork gets.',
    maxTurns: 'Model turns for each prompt, from now on. Default: that of the session.',
    maxBudgetUsd: 'What the whole session may cost, from now on. Default: that of the session.',
    resumeToken:
      'For a session that this server has no record of, where the operator signs tokens: the one of its first snapshot.',
    diskResumeConfig:
      'Any start option, by its own name and without `advanced`, for this turn and those after it; the process is replaced. And `resumeSessionAt`: the uuid of the message to go on from. A session stays in its folder.',
  },
  claude_code_check: {
    sessionId: 'The session to watch. Give either this or `sessionIds`.',
    sessionIds: 'Several sessions to watch at once.',
    waitFor:
      'With `sessionIds`: `any` (the default) answers at the first news of one of them, `all` when none is running any more.',
    cursor:
      'The `cursor` of the last snapshot: a number for one session, text for several. Only what came after it counts as news. Without it the present state does.',
    waitMs: "How long to wait for news. Default: 30,000. Cut to the operator's limit.",
    maxEvents: 'How many events to show, with `include: ["events"]`. Default: 50.',
    include:
      'What else to tell. `events`: what happened after the cursor. `tools`: the tools Claude Code has. `usage`: tokens and API time of the result.',
    requestId: 'Read the whole input of this open request, piece by piece, instead of a snapshot.',
    resultOffset:
      'Read the whole result, or with `requestId` the whole input, from this character on. The answer has `nextOffset` while there is more.',
  },
  claude_code_respond: {
    requestId: 'The request, from `actions` of a snapshot.',
    decision:
      '`allow` runs it, `deny` does not. `allow_for_session` also allows the same call again, and what `grant` of the request says, for the rest of the session and its forks.',
    sessionId: 'A check that the request belongs to this session. May be left out.',
    message: 'With `deny`: told to Claude. Default: "The caller denied this."',
    interrupt: 'With `deny`: also stop the turn. Default: `false`.',
    answers:
      'For a `user_question`, with `allow`: by the text of the question or its number from 0. A label, free text, a list of them where several may be chosen, or `{ answer, notes }`.',
    plan: 'For a `plan_review`, with `allow`: approve this text instead.',
    nextMode:
      'For a `plan_review`, with `allow`: the mode to go on in, `default` or `acceptEdits`. Without it, the mode before.',
    updatedInput:
      'With `allow`: run this input instead. For a `user_question`: the input with `answers` added, an object from question text to answer.',
    updatedPermissions:
      'With `allow`: changes for the rest of the session, and for nothing beyond it: `{ type: "addRules", rules: [{ toolName, ruleContent? }] }`, `{ type: "setMode", mode }` or `{ type: "addDirectories", directories }`. Rules only as far as `allowedTools` could have named them.',
    waitMs: "How long to wait for what follows. Default: 30,000. Cut to the operator's limit.",
  },
  claude_code_session: {
    action:
      '`list` shows sessions, the latest first. `get` shows one. `transcript` pages its messages. `configure` changes its model or permission mode from now on. `rewind` restores files as they were before a prompt: somebody has to allow it, as any write. `interrupt` stops its turn; a reply can go on. `cancel` ends it for good.',
    sessionId: 'The session. Needed for every action but `list`.',
    scope:
      'With `list`: `server` (the default) shows the sessions in memory, `disk` those that Claude Code has on disk, terminal sessions included, `all` both. The last two need `CLAUDE_CODE_MCP_HISTORY`.',
    projectDirectory: 'With `list`: only sessions that were begun in this folder.',
    query: 'With `list`: only sessions whose title, first prompt or folder contains this, in any case.',
    limit: 'With `list` and `transcript`: how many to show. Default: 20.',
    offset: 'With `transcript`: how many messages to pass over. Default: 0; go on with `nextOffset`.',
    order: 'With `transcript`: which message comes first. Default: `newest`.',
    includeSensitive:
      'With `get`: also `cwd`, `systemPrompt`, `agents` and `additionalDirectories`. Refused unless the operator allows it. Default: `false`.',
    model: 'With `configure`: the model, by name or alias. A running turn goes on with it.',
    permissionMode:
      'With `configure`: the permission mode, by the same rules as at the start. A session that has no process begins its next one with it.',
    messageId:
      'With `rewind`: the uuid of a message of role `user`, from `transcript`. The session must have been started with `enableFileCheckpointing`.',
    dryRun: 'With `rewind`: only tell which files would change, and by how many lines. Default: `false`.',
  },
  claude_code_query: {
    prompt: 'The task, sent as text: `@path` and `/command` in it do nothing.',
    cwd: 'The working folder, an absolute path. Default: as for `claude_code`.',
    maxTurns: 'Model turns. Default: no limit.',
    model: "The model, by name or alias. Default: the user's.",
    appendSystemPrompt: 'Added to the system prompt of Claude Code. Default: nothing.',
    maxMessages: 'How many of the last messages the answer may hold. Default: 100.',
    includeSystemMessages:
      'Whether the answer holds system messages. What is told while the query runs always has them. Default: `true`.',
    permissionMode: "Claude Code's permission mode, by the same rules as for `claude_code`.",
    allowedTools: 'Tools or rules that run without asking. Default: none.',
    disallowedTools: 'Tools or rules that never run, whoever approves. Default: none.',
    timeoutMs:
      'How long the query may run; the clock stands still while a person is asked. Default and maximum: `CLAUDE_CODE_MAX_EXECUTION_TIME`, 5 minutes.',
  },
  claude_code_configure: {
    action:
      '`enable_bypass` lets new sessions use `permissionMode: "bypassPermissions"`, for 30 minutes. `disable_bypass` ends that. `get_config` only tells.',
  },
  ...sessionsFieldWords,
  'claude_code_check (four tools)': {
    action:
      '`poll` watches, `respond_permission` and `respond_user_input` answer a request and wait for what follows.',
    sessionId: 'The session.',
    cursor: 'With `poll`: the `cursor` of the last snapshot.',
    responseMode: '`full` adds events to a poll. Default: `minimal`.',
    requestId: 'The request to answer, from `actions` of a snapshot.',
    decision: 'Needed for `respond_permission`. `respond_user_input` allows unless you deny.',
    denyMessage: 'With `deny`: told to Claude.',
    interrupt: 'With `deny`: also stop the turn. Default: `false`.',
    answers: 'With `respond_user_input`: from question text to answer.',
    pollOptions: 'How to wait and what to show.',
    permissionOptions:
      '`updatedInput`: run this input instead. `updatedPermissions`: changes for the rest of the session.',
  },
};
