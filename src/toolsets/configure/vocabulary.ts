import { keysOf, nothing, type Vocabulary } from '../shared/wording/vocabulary.js';

/** Its only tool starts no sessions and answers nothing. */
export const configureVocabulary: Vocabulary = {
  ...nothing,
  ...keysOf([]),
  enableBypass: 'claude_code_configure',
};
