import { expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../src/core/errors.js';
import { toArgumentError } from '../../src/mcp/explain-issues.js';

const schema = z.strictObject({
  prompt: z.string(),
  count: z.int().max(5, 'is more than 5').optional(),
  rules: z.array(z.string().regex(/^[^-]/, 'must not start with "-"')).optional(),
  advanced: z
    .strictObject({ effort: z.enum(['low', 'high']).optional(), debug: z.boolean().optional() })
    .optional(),
});

function explain(args: unknown): AppError {
  const { error } = schema.safeParse(args);
  if (error === undefined) throw new Error('these arguments are fine');
  return toArgumentError(error, schema);
}

it('lists the known keys beside an unknown one', () => {
  expect(explain({ prompt: 'x', promt: 'y' })).toEqual(
    new AppError('arguments_invalid', {
      problems: ['unknown key "promt"; known: prompt, count, rules, advanced'],
    }),
  );
});

it('names several unknown keys, and cuts what is too long to be one', () => {
  expect(explain({ prompt: 'x', a: 1, ['b'.repeat(80)]: 2 }).message).toBe(
    `unknown keys "a", "${'b'.repeat(60)}"; known: prompt, count, rules, advanced`,
  );
});

it('lists the known keys of the place where the unknown one stands', () => {
  expect(explain({ prompt: 'x', advanced: { efort: 'low' } }).message).toBe(
    'unknown key "efort" in advanced; known: effort, debug',
  );
});

it('names the place of a wrong value', () => {
  expect(explain({ prompt: 'x', advanced: { effort: 'turbo' } }).message).toMatch(
    /^advanced\.effort: .*"low"/,
  );
  expect(explain({ prompt: 'x', rules: ['a', '-b'] }).message).toBe('rules.1: must not start with "-"');
  expect(explain({ prompt: 'x', count: 9 }).message).toBe('count: is more than 5');
});

it('names what is missing', () => {
  expect(explain({}).message).toMatch(/^prompt: .*expected string/);
});

it('says so when there are no arguments at all', () => {
  expect(explain('x').message).toMatch(/^arguments: /);
});

it('tells all of a few problems, and not all of many', () => {
  const rules = Array.from({ length: 9 }, () => '-x');

  expect(explain({ prompt: 'x', count: 9, rules: ['-x'] }).message.split('; ')).toHaveLength(2);
  expect(explain({ prompt: 'x', rules }).message.split('; ')).toHaveLength(5);
});
