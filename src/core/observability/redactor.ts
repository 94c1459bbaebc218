/**
 * Port: removes secrets from copies that leave the server. Input that Claude Code runs is never changed. Redact a text
 * before truncating it: half a secret is no longer recognised.
 */
export interface Redactor {
  redact(text: string): string;
  /**
   * Redacts every text inside a value, including keys; returns a value without secrets unchanged. Skips what is
   * `AsBuilt`.
   */
  redactValue<T>(value: T): T;
  /**
   * The same for a value that never changes, such as the options of a session. It is redacted once, however often it is
   * shown, until another secret is known.
   */
  redactOnce<T extends object>(value: T): T;
  /**
   * For texts by which someone approves: masks only the secrets in the operator's environment. Patterns, and values
   * from callers, would let a caller or an agent hide what runs.
   */
  maskForApprover<T>(value: T): T;
  /** Adds secrets that become known later, such as the environment and headers of a session. */
  learn(values: Iterable<string>): void;
}
