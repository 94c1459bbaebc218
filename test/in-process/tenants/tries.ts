/** How a caller could reach for what belongs to another principal: for every tool, each argument that names something. */

/** Names of things that belong to another principal, or that do not exist. */
export interface Names {
  readonly waiting: string;
  readonly idle: string;
  readonly requestId: string;
  readonly cursor: number | string;
  readonly messageId: string;
  readonly resumeToken: string;
  readonly folder: string;
}

export type Args = Readonly<Record<string, unknown>>;

const prompt = 'hello';

/** A tool without a row fails the test, so that no new tool is forgotten. */
export const tries: Readonly<Record<string, (names: Names) => readonly Args[]>> = {
  claude_code: ({ folder }) => [
    { prompt, cwd: folder },
    { prompt, cwd: `${folder}/below` },
    { prompt, advanced: { additionalDirectories: [folder] } },
  ],
  claude_code_check: ({ waiting, idle, requestId, cursor }) => [
    { sessionId: waiting },
    { sessionId: waiting, cursor, waitMs: 10 },
    { sessionId: waiting, requestId, resultOffset: 0 },
    { sessionId: idle, resultOffset: 0 },
    { sessionId: idle, include: ['events', 'usage'] },
    { sessionIds: [waiting, idle], waitFor: 'all', waitMs: 10 },
  ],
  claude_code_reply: ({ waiting, idle, resumeToken }) => [
    { sessionId: idle, prompt },
    { sessionId: waiting, prompt, whenBusy: 'steer' },
    { sessionId: waiting, prompt, whenBusy: 'queue' },
    { sessionId: idle, prompt, forkSession: true },
    { sessionId: idle, prompt, resumeToken },
    { sessionId: idle, prompt, forkSession: true, resumeToken },
  ],
  claude_code_respond: ({ waiting, requestId }) => [
    { requestId, decision: 'allow' },
    { requestId, decision: 'deny' },
    { sessionId: waiting, requestId, decision: 'allow_for_session' },
  ],
  claude_code_session: ({ waiting, idle, messageId, folder }) => [
    { action: 'list' },
    { action: 'list', scope: 'server', projectDirectory: folder },
    { action: 'list', query: 'heron' },
    { action: 'get', sessionId: waiting },
    { action: 'get', sessionId: idle, includeSensitive: true },
    { action: 'transcript', sessionId: idle },
    { action: 'transcript', sessionId: idle, messageId },
    { action: 'configure', sessionId: waiting, model: 'opus' },
    { action: 'rewind', sessionId: idle, messageId, dryRun: true },
    { action: 'interrupt', sessionId: waiting },
    { action: 'cancel', sessionId: waiting },
  ],
  claude_create_session: ({ folder }) => [{ prompt, workingDirectory: folder }],
  claude_get_status: ({ waiting, idle, requestId }) => [
    { sessionId: waiting },
    { sessionId: waiting, inputId: requestId },
    { sessionId: idle, resultOffset: 0 },
    { sessionId: idle, outputLines: 20, outputOffset: 0 },
  ],
  claude_respond: ({ waiting, requestId }) => [
    { sessionId: waiting, inputId: requestId, decision: 'allow' },
    { sessionId: waiting, inputId: requestId, decision: 'deny' },
  ],
  claude_send_message: ({ waiting, idle }) => [
    { sessionId: idle, message: prompt },
    { sessionId: waiting, message: prompt },
    { sessionId: idle, message: prompt, forkSession: true },
  ],
  claude_interrupt: ({ waiting, idle }) => [{ sessionId: waiting }, { sessionId: idle }],
  claude_list_sessions: ({ folder }) => [{}, { projectDirectory: folder }],
  claude_code_query: ({ idle, messageId, folder }) => [
    { prompt, cwd: folder },
    { sessionId: idle, resultOffset: 0 },
    { sessionId: idle, messageOffset: 0 },
    { sessionId: idle, messageId },
  ],
  claude_code_configure: () => [{ action: 'get_config' }, { action: 'disable_bypass' }],
};

/** The rows of the tools that differ with CHECK_RESPONDS. */
export const respondingTries: typeof tries = {
  claude_code_check: ({ waiting, idle, requestId, cursor }) => [
    { action: 'poll', sessionId: waiting },
    { action: 'poll', sessionId: idle, cursor },
    { action: 'respond_permission', sessionId: waiting, requestId, decision: 'allow' },
    { action: 'respond_permission', sessionId: waiting, requestId, decision: 'deny' },
    { action: 'respond_user_input', sessionId: waiting, requestId, answers: { q: 'a' } },
  ],
};

export const whole = (names: Names): Names => names;

/** As much of each id as a caller may write instead of all of it. */
export const beginnings = (names: Names): Names => ({
  ...names,
  waiting: names.waiting.slice(0, 8),
  idle: names.idle.slice(0, 8),
  requestId: names.requestId.slice(0, 6),
});

/** The text of an answer with each name replaced, so that answers about different things can be compared. */
export function nameless(text: string, names: Names): string {
  return Object.entries(names).reduce(
    (rest, [what, name]) => (String(name).length < 6 ? rest : rest.replaceAll(String(name), `<${what}>`)),
    text,
  );
}
