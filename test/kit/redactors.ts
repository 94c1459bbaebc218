import type { Redactor } from '../../src/core/observability/redactor.js';
import { createRedactor } from '../../src/observability/redact/redact.js';

/** Redacts nothing, for tests about something else. */
export const blindRedactor: Redactor = {
  redact: (text) => text,
  redactValue: (value) => value,
  redactOnce: (value) => value,
  maskForApprover: (value) => value,
  learn: () => undefined,
};

/** The real redactor, which knows this secret. */
export function redactorOf(secret: string): Redactor {
  return createRedactor({ PLANTED_TOKEN: secret });
}
