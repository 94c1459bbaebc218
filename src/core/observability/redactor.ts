/**
 * Port: takes secrets out of copies that leave the server. What Claude Code runs is never touched.
 * Whoever shortens a text redacts it first: half a secret is no longer recognised.
 */
export interface Redactor {
  redact(text: string): string;
  /** The same for every text inside a value, keys included; a value without secrets comes back as it is. */
  redactValue<T>(value: T): T;
  /** Secrets that become known later: what a session is given as environment or headers. */
  learn(values: Iterable<string>): void;
}
