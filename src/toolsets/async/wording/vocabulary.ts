import type { InputKind } from '../../../core/session/events.js';
import { callText, keysWithout, nothing, type Vocabulary } from '../../shared/wording/vocabulary.js';

/** A key of another toolset. */
const notTaken = ['dangerouslySkipPermissions'];

/** The five tools. */
export const asyncVocabulary: Vocabulary = {
  ...nothing,
  ...keysWithout(notTaken),
  start: 'claude_code',
  startAgain: 'start a new session',
  reply: 'reply',
  resumeInterrupted: 'reply with resumeInterrupted: true',
  rewindAgain: 'rewind again',
  replyTool: 'claude_code_reply',
  retry: 'reply again',
  check: 'claude_code_check',
  whileChecking: () => 'while claude_code_check waits',
  list: 'claude_code_session with action "list"',
  respond: 'claude_code_respond',
  answer: ({ requestId }) => `claude_code_respond {requestId: "${requestId}"}`,
  openRequest: 'a requestId from actions',
  fork: 'reply with forkSession: true',
  queue: 'reply with whenBusy "queue" or "steer"',
  interrupt: (which) => `interrupt ${which}`,
  cancel: 'cancel one',
  resumeWith: 'diskResumeConfig of claude_code_reply',
  initTimeout: 'advanced.sessionInitTimeoutMs',
  checkpoints: 'advanced.enableFileCheckpointing',
  messageIds: 'action "transcript"',
  read: {
    result: (sessionId, resultOffset) => callText('claude_code_check', { sessionId, resultOffset }),
    input: (sessionId, requestId) => callText('claude_code_check', { sessionId, requestId }),
    details: (sessionId, isSensitive) =>
      callText('claude_code_session', {
        action: 'get',
        sessionId,
        ...(isSensitive ? { includeSensitive: true } : {}),
        offset: 0,
      }),
    restored: (sessionId, messageId) =>
      callText('claude_code_session', { action: 'rewind', sessionId, messageId, dryRun: true, offset: 0 }),
    messages: (sessionId) => callText('claude_code_session', { action: 'transcript', sessionId }),
    message: (sessionId, messageId) =>
      callText('claude_code_session', { action: 'transcript', sessionId, messageId }),
  },
  resumeToken: 'the resumeToken from the snapshot that claude_code returned',
  startLimits: ['maxTurns', 'maxBudgetUsd', 'timeoutMs'],
  replyLimits: ['maxTurns', 'maxBudgetUsd', 'timeoutMs'],
};

const answeringAction = (kind: InputKind): string =>
  kind === 'user_question' ? 'respond_user_input' : 'respond_permission';

/** The four tools. claude_code_check also answers requests. */
export const checkRespondsVocabulary: Vocabulary = {
  ...asyncVocabulary,
  ...keysWithout([...notTaken, 'sessionIds'], {
    resultOffset: 'pollOptions.resultOffset',
    message: 'denyMessage',
    plan: 'permissionOptions.plan',
    nextMode: 'permissionOptions.nextMode',
    updatedInput: 'permissionOptions.updatedInput',
    updatedPermissions: 'permissionOptions.updatedPermissions',
  }),
  respond: 'claude_code_check',
  read: {
    ...asyncVocabulary.read,
    result: (sessionId, resultOffset) =>
      callText('claude_code_check', { action: 'poll', sessionId, pollOptions: { resultOffset } }),
    input: (sessionId, requestId) => callText('claude_code_check', { action: 'poll', sessionId, requestId }),
  },
  answerWith: (kind) => `action "${answeringAction(kind)}"`,
  answer: ({ sessionId, requestId, kind }) =>
    `claude_code_check {action: "${answeringAction(kind)}", sessionId: "${sessionId}", requestId: "${requestId}"}`,
};
