import type { ErrorCode } from './codes.js';

/**
 * The name of an option or field in the toolset that was called: `cwd` may be `workingDirectory` there. With a value,
 * both as its callers write them: `permissionMode "plan"`.
 */
export type Keys = (name: string, value?: string) => string;

/** One reason for which a call fails: its code, and what happened in one sentence. */
export interface ReasonRow {
  readonly code: ErrorCode;
  readonly message: (params: never, keys: Keys) => string;
  /** The same call may succeed in a moment, with no action by anyone. */
  readonly isTransient?: true;
}

export type ReasonTable = Readonly<Record<string, ReasonRow>>;

/** The parameters of a row, from its `message`; undefined for a row without any. */
export type ParamsOfRow<Row extends ReasonRow> =
  Parameters<Row['message']> extends readonly [infer Params, ...unknown[]] ? Params : undefined;
