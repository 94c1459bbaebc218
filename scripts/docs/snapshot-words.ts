import { isPinned, type EventBody } from '../../src/core/session/events.js';
import type { SessionStatus } from '../../src/core/session/session-state.js';
import { code, table } from '../../src/toolsets/reference/markdown.js';

const statuses: Readonly<Record<SessionStatus, string>> = {
  running: 'A turn is running.',
  waiting: 'A turn is running, and at least one request needs an answer.',
  idle: 'The last turn has ended, or was interrupted. Reply to go on.',
  error: 'The last turn failed. `result` says why and what to do; a reply can go on.',
  cancelled: 'Ended for good.',
};

const eventKinds: Readonly<Record<EventBody['type'], string>> = {
  text: 'Claude said something.',
  thinking: 'Claude thought something.',
  tool_use: 'A tool was called; `summary` says with what.',
  tool_result: 'What the tool answered, shortened.',
  input_request: 'A request was opened.',
  input_resolved: 'A request was settled: how, and by whom.',
  status: 'A retry, a compaction, a change of mode and the like.',
  task: 'News of background work.',
  result: 'A turn has ended.',
  error: 'Claude Code has ended before the turn was over.',
  raw: 'A message this server does not know. Only its type is kept.',
};

const fields: readonly (readonly [string, string])[] = [
  ['sessionId', 'The id of the session. It never changes.'],
  ['title', 'Its name, if it has one.'],
  ['status', 'See below.'],
  ['activity', 'While it runs: one line about what Claude is doing, for example `Bash: npm test, 42 s`.'],
  ['actions', 'The open requests. Answer each with `claude_code_respond`.'],
  ['moreActions', 'How many open requests are not shown, when there are very many.'],
  ['result', 'The end of the last turn, if it is news.'],
  ['tasks', 'Background work that is still open.'],
  [
    'answered',
    'What was decided in this turn without you: `requestId`, `decision`, and `answeredBy` (`elicitation`: a person, by a form of their client).',
  ],
  [
    'resumeToken',
    'In the first snapshot, where the operator signs tokens: to go on with the session on a server that has no record of it.',
  ],
  [
    'notRestored',
    'Options that may be secret (`env`, `mcpServers`) and were lost with the server that started the session. Give them again in `diskResumeConfig`.',
  ],
  ['queuedPrompts', 'How many prompts wait for the running turn.'],
  ['droppedPrompts', 'After an interrupt: how many queued prompts were dropped.'],
  ['projectSettings', 'On the first answer, when the settings of an untrusted folder were not loaded.'],
  ['cursor', 'Pass it to the next `claude_code_check`.'],
  ['waitedMs', 'How long the call has waited.'],
  ['waitLimitMs', 'Only when you asked for a longer wait than the operator grants: the limit.'],
  ['availableTools', 'With `include: ["tools"]`.'],
  [
    'events, droppedEvents',
    'With `include: ["events"]`: what came after the cursor, and how many of them were no longer kept. `cursor` then stands behind the last one shown.',
  ],
];

const actionFields: readonly (readonly [string, string])[] = [
  ['requestId', 'For `claude_code_respond`.'],
  ['type', '`permission`, `plan_review` (Claude wants to leave plan mode) or `user_question`.'],
  ['toolName, input', 'What would run. `input` is cut in the middle when it is long.'],
  ['plan', 'Instead of `input`, for a `plan_review`: the plan.'],
  [
    'questions',
    'Instead of `input`, for a `user_question`: each with its `options`, what Claude says about them in `descriptions`, and whether several may be chosen.',
  ],
  [
    'inputChars',
    'Only when `input` was cut: its whole length. Read it all with `requestId` and `resultOffset`.',
  ],
  ['summary', "One line built from tool and input. Claude's own words follow, quoted."],
  ['reason, blockedPath', 'Why Claude Code asks, if it says so, and the path it is about.'],
  ['agent', 'The subagent that asks, if it is one.'],
  ['grant', 'What `allow_for_session` would allow beyond this same call.'],
  ['accepts', 'The decisions you can send, and the keys that go with this kind.'],
  ['expiresAt', 'When the request is denied by itself.'],
];

const resultFields: readonly (readonly [string, string])[] = [
  ['result', "Claude's last words."],
  ['resultChars', 'Only when `result` was cut: its whole length. Read it all with `resultOffset`.'],
  ['isError, outcome', '`outcome` is `completed`, `interrupted` or `failed`.'],
  ['errorSubtype, nextStep', 'Why the turn failed and what to do: see [errors](errors.md).'],
  ['turn', 'Which turn of the session this was.'],
  ['durationMs, numTurns, totalCostUsd', 'Time, model turns and cost of this turn.'],
  ['sessionTotalTurns, sessionTotalCostUsd', 'The sums over the session.'],
  ['permissionDenials', 'The tools that were denied.'],
  ['structuredOutput', 'If Claude Code reports one.'],
  ['durationApiMs, stopReason, usage, modelUsage', 'With `include: ["usage"]`.'],
];

/** The part of the tools page that is about answers. */
export function answersSection(): string {
  return `## The snapshot

\`claude_code\`, \`claude_code_reply\`, \`claude_code_check\`, \`claude_code_respond\`, and \`claude_code_session\` with
\`configure\`, \`rewind\`, \`interrupt\` or \`cancel\` answer with the same JSON. A key that has nothing to say is left out.

${fieldTable(fields)}

With \`sessionIds\`, \`claude_code_check\` answers \`{ sessions, cursor, waitedMs }\`: a list of snapshots, and one cursor
for all of them. \`claude_code_session\` with \`list\` answers \`{ sessions, message }\`, one short line for each session
with its \`turns\`, \`totalCostUsd\` and \`totalTokens\`;
a line of a session on disk has \`title\` or \`firstPrompt\`, \`cwd\`, \`origin\` (\`terminal\` or \`program\`), \`bytes\`, and
\`ownerPid\` while another process has it open;
with \`get\` it adds times, totals (\`tokens\` by \`input\`, \`output\`, \`cacheRead\` and \`cacheWrite\`) and the main options
to the snapshot, and, while Claude Code is alive,
\`contextUsage\` (\`totalTokens\`, \`maxTokens\`, \`percentage\`) and \`mcpServers\` (\`name\`, \`status\`, \`error\`).
\`backend\` is there where Claude Code is driven in a way that cannot do everything: \`name\`, and \`lacks\`, for example
\`gate\` (a call that the user's own rules allow runs unasked, in plan mode too), \`suggestions\` (no rules to grant),
\`liveChanges\` (no \`configure\` or \`rewind\` while a process lives), and options that it has no way to pass on.

With \`transcript\` it answers \`{ sessionId, messages, nextOffset, total }\`. Each message has \`uuid\`, \`role\` (\`user\` is
a prompt, \`assistant\` Claude, \`tool_result\` what a tool answered), \`at\`, \`text\`, and \`tools\`, the names of the tools it
calls. They come in the order of the file, also those that a later \`resumeSessionAt\` has left behind; subagents and
Claude Code's own notes are left out. Messages of sessions that this server did not start need
\`CLAUDE_CODE_MCP_HISTORY=read\`.

With \`rewind\` and \`dryRun\`, or when there is nothing to restore, it answers
\`{ sessionId, messageId, insertions, deletions, files }\`. Otherwise the snapshot has a request of the tool \`Rewind\`; once it
is allowed the files are restored, and the result says which.

Answers are text, and long texts in them are cut in the middle, with a note of how much is hidden, to keep an answer
within 7,500 characters. Many sessions at once may get only \`sessionId\`, \`status\` and how many \`requests\` are open:
ask for one of them then.

### Status

${fieldTable(Object.entries(statuses))}

### A request in \`actions\`

${fieldTable(actionFields)}

### \`result\`

${fieldTable(resultFields)}

### Events

Each event has a \`seq\`, which counts from 1. A wait ends on the kinds that are marked, and those are kept longest.

${table(
  ['Type', 'What happened', 'Ends a wait'],
  Object.entries(eventKinds).map(([type, words]) => [
    code(type),
    words,
    isPinned({ type: type as EventBody['type'] }) ? 'yes' : '',
  ]),
)}
`;
}

function fieldTable(rows: readonly (readonly [string, string])[]): string {
  return table(
    ['Name', 'Meaning'],
    rows.map(([names, words]) => [names.split(', ').map(code).join(', '), words]),
  );
}
