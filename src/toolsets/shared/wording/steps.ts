import type { ParamsOfRow, ReasonTable } from '../../../core/reasons/reason.js';
import type { Vocabulary } from './vocabulary.js';

/** The next step of each reason of a table; undefined where there is nothing to do. */
export type StepsFor<Table extends ReasonTable> = {
  readonly [R in keyof Table]: (params: ParamsOfRow<Table[R]>, words: Vocabulary) => string | undefined;
};
