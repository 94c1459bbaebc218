import { expect, it } from 'vitest';
import { classifyFailure, type FailedResult } from '../../../src/backends/shared/classify-result.js';

const apiError: FailedResult = { subtype: 'success', terminal_reason: 'api_error', api_error_status: null };

it.each<[string, FailedResult, string | undefined]>([
  ['max_turns', { subtype: 'error_max_turns', terminal_reason: 'max_turns' }, undefined],
  ['max_budget', { subtype: 'error_max_budget_usd', terminal_reason: 'budget_exhausted' }, undefined],
  [
    'structured_output',
    {
      subtype: 'error_max_structured_output_retries',
      terminal_reason: 'structured_output_retry_exhausted',
    },
    undefined,
  ],
  ['structured_output', { subtype: 'error_max_structured_output_retries' }, undefined],
  ['prompt_too_long', { ...apiError, terminal_reason: 'prompt_too_long' }, undefined],
  ['prompt_too_long', { ...apiError, terminal_reason: 'blocking_limit' }, undefined],
  ['not_signed_in', { ...apiError, result: 'Not logged in · Please run /login' }, 'authentication_failed'],
  ['credit', { ...apiError, api_error_status: 400, result: 'Credit balance is too low' }, undefined],
  ['credit', { ...apiError, api_error_status: 403 }, 'billing_error'],
  ['refusal', { ...apiError, stop_reason: 'refusal' }, undefined],
  ['connection', { ...apiError, api_error: 'connection_failed' }, undefined],
  ['model_not_found', { ...apiError, api_error_status: 404 }, 'model_not_found'],
  ['rate_limited', { ...apiError, api_error_status: 429 }, undefined],
  ['rate_limited', apiError, 'rate_limit'],
  ['overloaded', { ...apiError, api_error_status: 529 }, undefined],
  ['overloaded', apiError, 'overloaded'],
  ['invalid_key', { ...apiError, api_error_status: 401 }, undefined],
  ['invalid_key', apiError, 'authentication_failed'],
  ['server_error', { ...apiError, api_error_status: 500 }, 'server_error'],
  ['server_error', { ...apiError, api_error_status: 502 }, undefined],
  ['server_error', apiError, 'server_error'],
  ['other', { ...apiError, api_error: 'max_output_tokens' }, undefined],
  ['other', {}, undefined],
])('is %s for %j and the error code %s', (errorSubtype, result, assistantError) => {
  expect(classifyFailure(result, assistantError)).toBe(errorSubtype);
});

it('uses the terminal reason, not the subtype', () => {
  const result = { subtype: 'success', terminal_reason: 'max_turns', api_error_status: 429 };

  expect(classifyFailure(result, 'rate_limit')).toBe('max_turns');
});
