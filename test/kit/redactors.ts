import type { Redactor } from '../../src/core/observability/redactor.js';
import { createRedactor } from '../../src/observability/redact/redact.js';

/** Finds nothing: for tests that are about something else. */
export const blindRedactor: Redactor = {
  redact: (text) => text,
  redactValue: (value) => value,
  learn: () => undefined,
};

/** The real one, knowing this secret. */
export function redactorOf(secret: string): Redactor {
  return createRedactor({ PLANTED_TOKEN: secret });
}
