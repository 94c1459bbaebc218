import { serve, type ServedTool } from '../shared/define-tool.js';
import type { Vocabulary } from '../shared/wording/vocabulary.js';
import { createQueryTool } from './query.js';
import { queryVocabulary } from './vocabulary.js';

export interface QueryToolsetSettings {
  /** Default and ceiling of what a query may take. */
  readonly maxExecutionMs: number;
  /** Of the async toolset, where that is served too. */
  readonly async: Vocabulary | undefined;
}

export function queryTools({ maxExecutionMs, async }: QueryToolsetSettings): readonly ServedTool[] {
  const vocabulary = queryVocabulary(async);
  return serve([createQueryTool({ maxExecutionMs, vocabulary })], vocabulary);
}
