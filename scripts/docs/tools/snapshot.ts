import { isPinned, type EventBody } from '../../../src/core/session/events.js';
import type { SessionStatus } from '../../../src/core/session/session-state.js';
import { code, table } from '../../../src/toolsets/reference/markdown.js';
import { meanings } from './section.js';

const statuses: Readonly<Record<SessionStatus, string>> = {
  running: 'A turn is running. Check again.',
  waiting: 'A turn is running, and at least one request needs an answer.',
  idle: 'The last turn ended or was interrupted. A reply continues the session.',
  error: 'The last turn failed. `result` has the reason and the next step. A reply continues the session.',
  cancelled: 'The session has ended permanently. Neither a reply nor a copy (`forkSession`) continues it.',
};

const eventKinds: Readonly<Record<EventBody['type'], string>> = {
  text: 'Claude wrote text.',
  thinking: 'Claude was thinking.',
  tool_use: 'Claude called a tool; `summary` describes the call.',
  tool_result: 'A tool returned a result (shortened).',
  input_request: 'A request was opened.',
  input_resolved: 'A request was settled, with the decision and who made it.',
  status: 'A retry, a compaction, a change of mode or similar.',
  task: 'A background task reported its state.',
  result: 'A turn ended.',
  error: 'Claude Code exited before the turn ended.',
  raw: 'A message of unknown type. Only its type is kept.',
};

const fields: readonly (readonly [string, string])[] = [
  [
    'sessionId',
    'Id of the session. It never changes. Left out of a check of one session with a cursor from an earlier answer.',
  ],
  [
    'title',
    'Name of the session, if it has one: with the action `get`, and in a check of several sessions without a cursor.',
  ],
  ['status', 'See [Status](#status).'],
  ['activity', 'While a turn runs: what Claude is doing, for example `Bash: npm test, 42 s`.'],
  ['actions', 'Open requests; see [Requests](#requests). Answer each with `claude_code_respond`.'],
  ['moreActions', 'Number of open requests that are not shown.'],
  ['result', 'End of the last turn, if it is newer than the cursor; see [Result](#result).'],
  [
    'earlierResults',
    'Ends of earlier turns after the cursor, at most 10, such as those of queued prompts: `turn`, `outcome`, `errorSubtype` and `result`. If a text is truncated, `readMore` names the action `transcript`, which has all of it.',
  ],
  [
    'note',
    'Why you see or can do less than usual: another server runs the session, or the operator does not let callers read it.',
  ],
  ['tasks', 'Background work that is still open.'],
  [
    'answered',
    'Requests of this turn that someone else settled: `requestId`, `decision` and `answeredBy` (`elicitation`: a person, through a form of their client; `page`: a person, on the page, with the name of their `device`; `timeout`: nobody, in time).',
  ],
  [
    'resumeToken',
    'In the first snapshot, if the operator signs tokens. Resumes the session on a server that has no record of it.',
  ],
  [
    'notRestored',
    'Options of the session that are no longer in force. After a restart: secrets (`env`, `mcpServers`), which are not saved, and options that the operator no longer allows in full. After a prompt: options that this caller may not request, such as a mode that a person chose on the page. Options that you may set can be passed again in `diskResumeConfig`.',
  ],
  ['queuedPrompts', 'Number of prompts that wait for the running turn.'],
  [
    'runsIn',
    'Another server, by its process id, that runs a turn of this session. A wait reads the session about once a second until the turn ends. Only the client of that server can answer its requests, interrupt it or add to it.',
  ],
  [
    'keptPrompts',
    'Prompts that were queued when an earlier server stopped, or when the turn before them crashed or reached a time limit; the last 10. They run only if you send them again. If one is truncated, `readMore` beside them names the call that reads all of them.',
  ],
  [
    'voidRequests',
    'Ids of requests that ended with an earlier server. Nothing was approved. They are listed until another turn begins.',
  ],
  [
    'notSaved',
    'Why the session is not on disk as it is: after a restart, its last changes would be lost. It also reports answers that Claude Code could not write, and no longer remembers.',
  ],
  ['droppedPrompts', 'After an interrupt or cancel: number of queued prompts that were dropped.'],
  [
    'projectSettings',
    'In the first answer, if files of an untrusted folder were not loaded: their names, and how to trust the folder.',
  ],
  ['cursor', 'Pass this to the next `claude_code_check`.'],
  ['waitLimitMs', 'The longest wait that the operator or the client allows, if you asked for a longer one.'],
  [
    'pollInterval',
    'After a start or reply, while the turn runs: suggested time between two checks that do not wait, in milliseconds.',
  ],
  [
    'requestLimitMs',
    "After a start or reply: the operator's limit, if you asked for a larger `permissionRequestTimeoutMs`.",
  ],
  [
    'availableTools',
    'With `include: ["tools"]`: the tools of Claude Code by category, each with what it does. Tools of MCP servers have only a name.',
  ],
  [
    'events, droppedEvents',
    'With `include: ["events"]`: events after the cursor, and the number of those that are no longer stored. `cursor` then points past the last event shown.',
  ],
];

const actionFields: readonly (readonly [string, string])[] = [
  ['requestId', 'Id for `claude_code_respond`.'],
  ['type', '`permission`, `plan_review` (Claude wants to leave plan mode) or `user_question`.'],
  ['toolName, input', 'The call that would run. A long `input` is truncated in the middle.'],
  ['plan', 'For a `plan_review`, instead of `input`: the plan.'],
  [
    'questions',
    'For a `user_question`, instead of `input`: each question with its `options`, their `descriptions`, and whether several can be chosen.',
  ],
  [
    'inputChars',
    'Full length of `input`, if it was truncated. Page through it with `requestId` and `resultOffset`.',
  ],
  ['readMore', 'If the input or plan was truncated: the call that reads it in full.'],
  [
    'summary',
    "If the input was truncated: one line built from tool and input. Text of the agent is in backticks; Claude's own words are in quotation marks.",
  ],
  [
    'server',
    "For a tool of an MCP server: whether the caller brought the server or it is from the user's configuration, and its host or program.",
  ],
  [
    'leadsTo',
    "If the call names a file by a link, or a command could reach a file outside the session's folders by a link: where the links lead.",
  ],
  ['folder', 'If `cd` has moved the session: the folder in which the call would run.'],
  ['reason, blockedPath', 'Why Claude Code asks, and the path concerned, if it says so.'],
  ['agent', 'Type of the subagent that asks. Missing if Claude itself asks.'],
  ['grant', 'What `allow_for_session` would allow beyond this same call.'],
  ['accepts', 'Decisions you can send.'],
  ['whoApproves', 'If you may not approve the request: who can.'],
  ['needs', 'Keys that you must send with `allow`: `answers` for a question.'],
  ['expiresAt', 'Time at which the request is denied automatically.'],
];

const resultFields: readonly (readonly [string, string])[] = [
  ['result', "Claude's final text: `result.result` in the snapshot."],
  ['resultChars', 'Full length of `result`, if it was truncated. Page through it with `resultOffset`.'],
  ['readMore', 'If `result` was truncated: the call that reads the rest.'],
  ['isError, outcome', '`outcome` is `completed`, `interrupted` or `failed`.'],
  [
    'errorSubtype, nextStep',
    'Why the turn failed, and what to do after a turn that failed or was interrupted. See [errors](../errors.md).',
  ],
  ['turn', 'Number of this turn in the session. A turn is one prompt until its result.'],
  [
    'durationMs, numTurns, totalCostUsd',
    'Time, model turns and cost of this turn. A model turn is one answer of the model, with or without tool calls.',
  ],
  ['sessionTotalTurns, sessionTotalCostUsd', 'Model turns and cost of the whole session.'],
  ['startedBy', 'Set if the turn answers no prompt: `claude_code` began it by itself, or it was a `rewind`.'],
  [
    'changedFiles, moreChangedFiles',
    'Files that Claude changed with Write, Edit and NotebookEdit, relative to `cwd`, and how many more there are. Commands may have changed others.',
  ],
  ['permissionDenials', 'Denied tool calls.'],
  ['structuredOutput', 'Structured output, if Claude Code reports one.'],
  ['durationApiMs, stopReason, usage, modelUsage', 'With `include: ["usage"]`.'],
];

/** The answer that most tools of the toolset `async` return. */
export function snapshotSection(): string {
  return `## Snapshot

\`claude_code\`, \`claude_code_reply\`, \`claude_code_check\`, \`claude_code_respond\` and most actions of \`claude_code_session\` return a snapshot of the session. Keys without a value are omitted. An answer is at most as long as the client passes on to its model: 7,500 characters in an unknown client, more in [some others](../clients.md#limits), counted as the JSON string in which a client carries it. Longer texts are truncated in the middle, with a note of how much is hidden, and \`readMore\` names the call that reads the rest.

After a restart of the server, a session still has its last result and its newest events, and old cursors remain valid. \`droppedEvents\` counts events that were not kept. A turn that was cut off ends in status \`error\` with \`errorSubtype: "server_restarted"\`, and its open requests have ended. A reply continues the session ([guarantees](../operations.md#guarantees)).

${meanings(fields)}

### Status

${meanings(Object.entries(statuses), 'Status')}

### Requests

${meanings(actionFields)}

### Result

${meanings(resultFields)}

### Events

Each event has a \`seq\`, which counts from 1. A wait ends on the marked types. These are also kept longest.

${table(
  ['Type', 'Meaning', 'Ends a wait'],
  Object.entries(eventKinds).map(([type, words]) => [
    code(type),
    words,
    isPinned({ type: type as EventBody['type'] }) ? 'yes' : '',
  ]),
)}`;
}
