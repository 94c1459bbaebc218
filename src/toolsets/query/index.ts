import { serve, type ServedTool } from '../shared/define-tool.js';
import type { Vocabulary } from '../shared/wording/vocabulary.js';
import { createQueryTool } from './query.js';
import { queryVocabulary } from './vocabulary.js';

export interface QueryToolsetSettings {
  /** Default and maximum time of a query. */
  readonly maxExecutionMs: number;
  /** Vocabulary of the async toolset, if it is served too. */
  readonly async: Vocabulary | undefined;
}

export function queryTools({ maxExecutionMs, async }: QueryToolsetSettings): readonly ServedTool[] {
  const vocabulary = queryVocabulary(async);
  return serve([createQueryTool({ maxExecutionMs })], vocabulary);
}
