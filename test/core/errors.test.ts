import { expect, it } from 'vitest';
import { AppError, messageOf, sentence } from '../../src/core/errors.js';
import { errorCatalogue } from '../../src/core/reasons/codes.js';
import { turnFailures } from '../../src/core/session/turn-failures.js';

it('takes code and message from its reason and parameters', () => {
  expect(new AppError('queue_full', { limit: 10 })).toMatchObject({
    name: 'AppError',
    code: 'SESSION_BUSY',
    reason: 'queue_full',
    params: { limit: 10 },
    message: '10 prompts are already queued',
    isTransient: false,
  });
});

it('says whether a retry may succeed', () => {
  expect(new AppError('no_process_to_spare', { problem: 'EAGAIN' }).isTransient).toBe(true);
});

it('does not compile without its parameters', () => {
  // @ts-expect-error a parameter is missing
  expect(() => new AppError('queue_full')).toThrow(TypeError);
  // @ts-expect-error a parameter has the wrong type
  expect(new AppError('queue_full', { limit: '10' }).code).toBe('SESSION_BUSY');
});

it('adds no second full stop', () => {
  expect([sentence('It is slow'), sentence('Was it slow?')]).toEqual(['It is slow.', 'Was it slow?']);
});

it('returns a message for anything that was thrown', () => {
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

it('has exactly the failures of the design', () => {
  expect(Object.keys(turnFailures)).toEqual([
    'not_signed_in',
    'invalid_key',
    'rate_limited',
    'overloaded',
    'server_error',
    'credit',
    'max_budget',
    'max_turns',
    'prompt_too_long',
    'structured_output',
    'refusal',
    'model_not_found',
    'connection',
    'time_limit',
    'approval_timeout',
    'crashed',
    'server_restarted',
    'other',
  ]);
});
