/** Why a turn failed, who must act, and the one next step. Claude Code's own reports end up here, not as exceptions. */
export interface TurnFailure {
  readonly actor: 'person' | 'caller' | 'wait';
  readonly nextStep: string;
}

export const turnFailures = {
  not_signed_in: {
    actor: 'person',
    nextStep: 'A person must run `claude` and sign in on the machine of this server, then reply again.',
  },
  invalid_key: {
    actor: 'person',
    nextStep: 'A person must correct the API key of this server, then reply again.',
  },
  rate_limited: { actor: 'wait', nextStep: 'Wait for the rate limit to pass, then reply again.' },
  overloaded: { actor: 'wait', nextStep: 'The API is overloaded: wait a minute, then reply again.' },
  credit: { actor: 'person', nextStep: 'A person must add credit to the account, then reply again.' },
  max_budget: { actor: 'caller', nextStep: 'Reply with a higher maxBudgetUsd, or stop here.' },
  max_turns: { actor: 'caller', nextStep: 'Reply to let it go on, with a higher maxTurns if it needs more.' },
  prompt_too_long: { actor: 'caller', nextStep: 'Start a new session with a shorter prompt.' },
  refusal: { actor: 'caller', nextStep: 'The model refused: reply with a different request.' },
  model_not_found: {
    actor: 'caller',
    nextStep: 'Start again with a model this account can use, or without model.',
  },
  connection: {
    actor: 'wait',
    nextStep: 'The API could not be reached: check the network, then reply again.',
  },
  time_limit: { actor: 'caller', nextStep: 'Reply to go on, with a higher timeoutMs if it needs more.' },
  approval_timeout: { actor: 'caller', nextStep: 'Nobody answered in time: reply, and answer what it asks.' },
  crashed: { actor: 'caller', nextStep: 'Reply to resume the conversation in a new process.' },
  other: { actor: 'caller', nextStep: 'Read the result text, then reply or start again.' },
} as const satisfies Record<string, TurnFailure>;

export type ErrorSubtype = keyof typeof turnFailures;
