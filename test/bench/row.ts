/** What a row of the bench is: a name, what it may cost at most, and how to find out. */

export interface Limit {
  /** The line of the table. */
  readonly what: string;
  readonly max: number;
  /** `x` marks a ratio of two things measured in the same run. */
  readonly unit: 'x' | 's' | 'bytes' | 'calls' | 'MB' | 'processes';
}

export interface Measurement<K extends string = string> {
  readonly values: Readonly<Record<K, number>>;
  /** The figures behind the values, for whoever wants to know where the time went. */
  readonly detail: string;
}

export interface Row<K extends string = string> {
  /** For `--only`. */
  readonly name: string;
  readonly budget: Readonly<Record<K, Limit>>;
  /** Set when only this system can be measured. */
  readonly platform?: NodeJS.Platform;
  measure(): Promise<Measurement<K>>;
}

/** Ties the measured values to the limits, then forgets which they are. */
export function defineRow<K extends string>(row: Row<K>): Row {
  return row;
}
