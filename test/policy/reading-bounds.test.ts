import { describe, expect, it } from 'vitest';
import { isBounded, isReadingBounded } from '../../src/policy/reading-bounds.js';

it.each([
  ['is bounded with human-only approvals', 'human', [], true],
  ['is bounded inside roots', 'auto', ['/work'], true],
  ['is not bounded otherwise', 'auto', [], false],
] as const)('pre-approval %s', (_case, approvals, roots, expected) => {
  expect(isBounded({ approvals }, { roots })).toBe(expected);
});

describe('what a caller may have read in advance', () => {
  const alone = { canAskPerson: false, hasPerson: false };
  const withForms = { canAskPerson: true, hasPerson: false };
  const everywhere = { roots: [] };

  it.each([
    ['human', undefined, everywhere, alone],
    ['any', undefined, { roots: ['/srv'] }, alone],
    ['any', ['Bash'], everywhere, alone],
    ['any', [], everywhere, alone],
    ['auto', undefined, everywhere, withForms],
    ['auto', undefined, everywhere, { canAskPerson: false, hasPerson: true }],
  ] as const)(
    'is bounded by the folders of the session: %s, %j, %j, %j',
    (approvals, preallow, bounds, standing) => {
      expect(isReadingBounded({ approvals, preallow: preallow && [...preallow] }, bounds, standing)).toBe(
        true,
      );
    },
  );

  it.each([
    ['any', undefined, withForms],
    ['any', ['*'], alone],
    ['auto', undefined, alone],
    ['auto', ['*'], withForms],
  ] as const)(
    'is not bounded where the caller decides alone: %s, %j, %j',
    (approvals, preallow, standing) => {
      expect(isReadingBounded({ approvals, preallow: preallow && [...preallow] }, everywhere, standing)).toBe(
        false,
      );
    },
  );
});
