import type { ErrorSubtype } from '../../core/session/turn-failures.js';

/** The fields of a result message that explain a failure. Each of them is missing in some version. */
export interface FailedResult {
  readonly terminal_reason?: string | undefined;
  readonly stop_reason?: string | null | undefined;
  readonly api_error_status?: number | null | undefined;
  readonly api_error_type?: string | undefined;
  readonly api_error?: string | undefined;
  readonly result?: string | undefined;
  readonly subtype?: string | undefined;
}

type Facts = FailedResult & { readonly assistantError: string | undefined };

/** The first rule that matches names the failure. */
const rules: readonly (readonly [ErrorSubtype, (facts: Facts) => boolean])[] = [
  ['max_turns', ({ terminal_reason }) => terminal_reason === 'max_turns'],
  ['max_budget', ({ terminal_reason }) => terminal_reason === 'budget_exhausted'],
  [
    'structured_output',
    ({ terminal_reason, subtype }) =>
      terminal_reason === 'structured_output_retry_exhausted' ||
      subtype === 'error_max_structured_output_retries',
  ],
  [
    'prompt_too_long',
    // Claude Code itself refuses what cannot fit into the context, without asking the API.
    ({ terminal_reason }) => terminal_reason === 'prompt_too_long' || terminal_reason === 'blocking_limit',
  ],
  ['not_signed_in', ({ result }) => /not logged in|please run \/login/i.test(result ?? '')],
  [
    'credit',
    ({ result, assistantError }) =>
      assistantError === 'billing_error' || /credit balance is too low/i.test(result ?? ''),
  ],
  ['refusal', ({ stop_reason }) => stop_reason === 'refusal'],
  ['connection', ({ api_error }) => api_error === 'connection_failed'],
  ['model_not_found', ({ assistantError }) => assistantError === 'model_not_found'],
  [
    'rate_limited',
    ({ assistantError, api_error_status }) => assistantError === 'rate_limit' || api_error_status === 429,
  ],
  [
    'overloaded',
    ({ assistantError, api_error_status }) => assistantError === 'overloaded' || api_error_status === 529,
  ],
  [
    'server_error',
    ({ assistantError, api_error_status }) =>
      assistantError === 'server_error' || (api_error_status ?? 0) >= 500,
  ],
  [
    'invalid_key',
    ({ assistantError, api_error_status }) =>
      assistantError === 'authentication_failed' || api_error_status === 401,
  ],
];

/** Uses terminal_reason, the API status and Claude's error code, because the subtype of an API error is `success`. */
export function classifyFailure(result: FailedResult, assistantError: string | undefined): ErrorSubtype {
  const facts = { ...result, assistantError };
  return rules.find(([, fits]) => fits(facts))?.[0] ?? 'other';
}
