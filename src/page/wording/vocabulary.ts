import { keysOf, nothing, type Vocabulary } from '../../toolsets/shared/wording/vocabulary.js';

/** What people call the options that they can set. */
const names = {
  cwd: 'the folder',
  prompt: 'the prompt',
  permissionMode: 'the mode',
  maxBudgetUsd: 'the budget',
  updatedInput: 'the edited input',
  answers: 'an answer',
  sessionId: 'the session',
};

/** What a person can do on the page. There are no tools to name. */
export const pageVocabulary: Vocabulary = {
  ...nothing,
  ...keysOf([], names),
  startAgain: 'start a new session',
  reply: 'send a prompt',
  retry: 'try again',
  queue: 'queue the prompt',
  interrupt: (which) => `interrupt ${which}`,
  cancel: 'cancel one',
  startLimits: ['maxBudgetUsd'],
};
