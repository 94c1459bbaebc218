import { expect, it } from 'vitest';
import { AppError, errorCatalogue, formatError, messageOf } from '../../src/core/errors.js';
import { turnFailures } from '../../src/core/session/turn-failures.js';

it('reads as code, what happened and what to do next', () => {
  const error = new AppError('SESSION_BUSY', 'the session is busy', { hint: 'Wait for it' });

  expect(formatError(error)).toBe('Error [SESSION_BUSY]: the session is busy. Wait for it.');
});

it('adds no second full stop and no empty hint', () => {
  expect(formatError(new AppError('TIMEOUT', 'Was it slow?'))).toBe('Error [TIMEOUT]: Was it slow?');
});

it('keeps the cause for the log', () => {
  const cause = new Error('disk full');

  expect(new AppError('INTERNAL', 'x', { cause }).cause).toBe(cause);
});

it('has the words of anything that was thrown', () => {
  expect([messageOf(new Error('a')), messageOf('b'), messageOf(undefined)]).toEqual(['a', 'b', 'undefined']);
});

it('has exactly the codes of the design', () => {
  expect(Object.keys(errorCatalogue).toSorted()).toEqual([
    'CANCELLED',
    'INTERNAL',
    'INVALID_ARGUMENT',
    'PERMISSION_DENIED',
    'RESOURCE_EXHAUSTED',
    'SESSION_BUSY',
    'SESSION_NOT_FOUND',
    'TIMEOUT',
    'UNAVAILABLE',
  ]);
});

it('has exactly the failures of the design, each with one next step', () => {
  expect(Object.keys(turnFailures)).toEqual([
    'not_signed_in',
    'invalid_key',
    'rate_limited',
    'overloaded',
    'credit',
    'max_budget',
    'max_turns',
    'prompt_too_long',
    'refusal',
    'model_not_found',
    'connection',
    'time_limit',
    'approval_timeout',
    'crashed',
    'other',
  ]);
  for (const { nextStep } of Object.values(turnFailures)) expect(nextStep).toMatch(/^[A-Z].*\.$/);
});
