/** A row of the bench: a name, its limits, and how to measure it. */

export interface Limit {
  /** The text in the table. */
  readonly what: string;
  readonly max: number;
  /** `x` marks a ratio of two values from the same run. */
  readonly unit: 'x' | 's' | 'ms' | 'bytes' | 'calls' | 'MB' | 'processes';
}

export interface Measurement<K extends string = string> {
  readonly values: Readonly<Record<K, number>>;
  /** The figures behind the values, which show where the time was spent. */
  readonly detail: string;
}

export interface Row<K extends string = string> {
  /** For `--only`. */
  readonly name: string;
  readonly budget: Readonly<Record<K, Limit>>;
  /** Set when the row can be measured on this system only. */
  readonly platform?: NodeJS.Platform;
  measure(): Promise<Measurement<K>>;
}

/** Checks that the values match the limits, then erases their names from the type. */
export function defineRow<K extends string>(row: Row<K>): Row {
  return row;
}
