import { callText, keysOf, nothing, type Vocabulary } from '../shared/wording/vocabulary.js';

/** The permission modes that these tools take. */
export const takenModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const;

/** The keys of these tools, and how the session layer names those that differ. */
const names = keysOf(
  [
    'sessionId',
    'attachments',
    'projectDirectory',
    'model',
    'permissionMode',
    'allowedTools',
    'disallowedTools',
    'maxTurns',
    'maxBudgetUsd',
    'systemPrompt',
    'dangerouslySkipPermissions',
    'forkSession',
    'updatedInput',
    'resultOffset',
    'nextOffset',
  ],
  {
    cwd: 'workingDirectory',
    requestId: 'inputId',
    message: 'reason',
    answers: 'updatedInput.answers',
    resumeToken: 'resume token',
  },
  { permissionMode: Object.fromEntries(takenModes.map((mode) => [mode, mode])) },
);

export const sessionsVocabulary: Vocabulary = {
  ...nothing,
  ...names,
  start: 'claude_create_session',
  startAgain: 'start a new session',
  reply: 'send another message',
  replyTool: 'claude_send_message',
  retry: 'send another message',
  check: 'claude_get_status',
  whileChecking: (seconds) =>
    `when you call claude_get_status${seconds === 0 ? '' : ` in ${seconds} s or later`}`,
  list: 'claude_list_sessions',
  respond: 'claude_respond',
  answer: ({ sessionId, requestId }) => `claude_respond {sessionId: "${sessionId}", inputId: "${requestId}"}`,
  read: {
    result: (sessionId, resultOffset) => callText('claude_get_status', { sessionId, resultOffset }),
    input: (sessionId, inputId) => callText('claude_get_status', { sessionId, inputId }),
    output: (sessionId) => callText('claude_get_status', { sessionId, outputOffset: 0 }),
  },
  openRequest: 'an inputId from pendingInputs',
  fork: 'send the message with forkSession: true',
  interrupt: (which) => `interrupt ${which}`,
  startLimits: ['maxTurns', 'maxBudgetUsd'],
};
