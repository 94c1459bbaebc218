import { nothing, type Vocabulary } from '../shared/wording/vocabulary.js';

/** Its only tool starts no sessions and answers nothing. */
export const configureVocabulary: Vocabulary = {
  ...nothing,
  enableBypass: 'claude_code_configure',
};
