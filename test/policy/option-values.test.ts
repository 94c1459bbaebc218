import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { sessionOptions, type RequestedOptions } from '../../src/core/options/index.js';
import { checkedBefore } from '../../src/policy/approvals.js';
import { resolveOptions } from '../../src/policy/resolve-options.js';
import { plainFacts, plainPolicy } from '../kit/policy.js';
import { optionValues, type Option } from './option-values.js';

function resolve(requested: RequestedOptions, callerTrust: 'standard' | 'full') {
  return resolveOptions({
    requested,
    facts: plainFacts,
    policy: { ...plainPolicy, callerTrust },
    standing: checkedBefore,
  });
}

/** Also parsed, because a value that no caller can pass proves nothing. */
function requestOf(option: string, value: unknown): RequestedOptions {
  return { [option]: sessionOptions[option as Option].schema.parse(value) };
}

const harmless = Object.entries(optionValues).flatMap(([option, row]) =>
  row.harmless.map((value) => [option, value] as const),
);
const harmful = Object.entries(optionValues).flatMap(([option, { harmful: refused = [] }]) =>
  refused.map((value) => [option, value] as const),
);

describe.each(['standard', 'full'] as const)('with %s trust', (trust) => {
  it.each(harmless)('a caller may set %s to %j', (option, value) => {
    expect(() => resolve(requestOf(option, value), trust)).not.toThrow();
  });
});

it.each(harmful)('only a trusted caller may set %s to %j', (option, value) => {
  const requested = requestOf(option, value);

  expect(() => resolve(requested, 'full')).not.toThrow();
  expect(() => resolve(requested, 'standard')).toThrow(
    expect.toSatisfy((error) => error instanceof AppError && error.code === 'PERMISSION_DENIED'),
  );
});
