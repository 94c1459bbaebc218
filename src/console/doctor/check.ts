/** What one check has found. */
export interface Finding {
  readonly id: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** Findings that belong together. */
export interface Section {
  readonly title: string;
  readonly findings: readonly Finding[];
}
