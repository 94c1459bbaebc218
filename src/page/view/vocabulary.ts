import { nothing, type Vocabulary } from '../../toolsets/shared/wording/vocabulary.js';

/** Its tool serves a view with buttons, so its errors name no tools. */
export const viewVocabulary: Vocabulary = nothing;
