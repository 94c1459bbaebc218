import { mask } from '../../core/observability/mask.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { mapTexts } from '../../core/text/map-texts.js';
import { AsBuilt } from '../../core/view.js';
import { approverMask } from './approver-mask.js';
import { KnownSecrets } from './known-secrets.js';
import { redactNamed, redactPatterns } from './secret-patterns.js';
import { secretsIn, secretsInEnvironment } from './secret-values.js';

/** Creates the redactor that the whole server shares. Starts with the secrets of its environment. */
export function createRedactor(environment: Readonly<Record<string, string | undefined>>): Redactor {
  const ofOperator = secretsInEnvironment(environment);
  const known = new KnownSecrets(ofOperator);
  const redact = (text: string): string => redactPatterns(known.redact(text));
  const forApprover = approverMask(ofOperator);
  let redacted = new WeakMap<object, unknown>();
  return {
    redact,
    redactValue: <T>(value: T): T => redactInside(value, redact) as T,
    redactOnce<T extends object>(value: T): T {
      if (!redacted.has(value)) redacted.set(value, redactInside(value, redact));
      return redacted.get(value) as T;
    },
    maskForApprover: <T>(value: T): T => mapTexts(value, forApprover) as T,
    learn(values) {
      for (const value of values) if (known.learn(secretsIn(value))) redacted = new WeakMap();
    },
  };
}

function redactInside(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((inner) => redactInside(inner, redact));
  if (typeof value !== 'object' || value === null || value instanceof AsBuilt) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [redact(key), redactField(key, inner, redact)]),
  );
}

function redactField(key: string, value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redactNamed(key, redact(value));
  // A password may be numeric.
  if (typeof value === 'number') return redactNamed(key, String(value)) === String(value) ? value : mask;
  return redactInside(value, redact);
}
