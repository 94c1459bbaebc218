import { keysOf, nothing, type Vocabulary } from '../shared/wording/vocabulary.js';

/** The keys of these tools, and how the session layer names those that differ. */
const names = keysOf(
  [
    'sessionId',
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
  ],
  {
    cwd: 'workingDirectory',
    requestId: 'inputId',
    message: 'reason',
    answers: 'updatedInput.answers',
    resumeToken: 'resume token',
  },
);

export const sessionsVocabulary: Vocabulary = {
  ...nothing,
  ...names,
  start: 'claude_create_session',
  startAgain: 'start a new session',
  reply: 'send another message',
  retry: 'send another message',
  check: 'claude_get_status',
  whileChecking: 'when you call claude_get_status',
  list: 'claude_list_sessions',
  listedByOthers: 'A session that was started elsewhere has no status until claude_send_message resumes it.',
  respond: 'claude_respond',
  answer: ({ sessionId, requestId }) => `claude_respond {sessionId: "${sessionId}", inputId: "${requestId}"}`,
  openRequest: 'an inputId from pendingInputs',
  fork: 'send the message with forkSession: true',
  interrupt: (which) => `interrupt ${which}`,
  startLimits: ['maxTurns', 'maxBudgetUsd'],
};
