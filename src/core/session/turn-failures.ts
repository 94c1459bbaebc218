/** Who must act after a failed turn. Failures that Claude Code reports end up here, not as exceptions. */
export interface TurnFailure {
  readonly actor: 'person' | 'caller' | 'wait';
}

/** Why a turn failed. Each toolset words the next step: see `toolsets/shared/wording/turn-steps.ts`. */
export const turnFailures = {
  not_signed_in: { actor: 'person' },
  invalid_key: { actor: 'person' },
  rate_limited: { actor: 'wait' },
  overloaded: { actor: 'wait' },
  server_error: { actor: 'wait' },
  credit: { actor: 'person' },
  max_budget: { actor: 'caller' },
  max_turns: { actor: 'caller' },
  prompt_too_long: { actor: 'caller' },
  structured_output: { actor: 'caller' },
  refusal: { actor: 'caller' },
  model_not_found: { actor: 'caller' },
  connection: { actor: 'person' },
  time_limit: { actor: 'caller' },
  approval_timeout: { actor: 'caller' },
  crashed: { actor: 'caller' },
  server_restarted: { actor: 'caller' },
  other: { actor: 'caller' },
} as const satisfies Record<string, TurnFailure>;

export type ErrorSubtype = keyof typeof turnFailures;
