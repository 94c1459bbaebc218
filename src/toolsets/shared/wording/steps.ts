import type { ParamsOfRow, ReasonTable } from '../../../core/reasons/reason.js';
import type { Vocabulary } from './vocabulary.js';

/** The next step for each reason of a table; undefined if there is none. */
export type StepsFor<Table extends ReasonTable> = {
  readonly [R in keyof Table]: (params: ParamsOfRow<Table[R]>, words: Vocabulary) => string | undefined;
};
