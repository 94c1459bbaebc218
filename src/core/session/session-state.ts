/** The session life cycle as a pure function. Every transition that is not in the table is illegal. */
export type SessionStatus = 'running' | 'waiting' | 'idle' | 'error' | 'cancelled';
export type Outcome = 'completed' | 'interrupted' | 'failed';

export interface SessionState {
  readonly status: SessionStatus;
  /** How the last turn ended; undefined before the first turn ends. */
  readonly outcome: Outcome | undefined;
}

export type StateEvent =
  | { readonly type: 'turn_started' }
  | { readonly type: 'input_requested' }
  | { readonly type: 'input_settled'; readonly othersOpen: boolean }
  | { readonly type: 'turn_ended'; readonly outcome: Outcome; readonly promptQueued: boolean }
  | { readonly type: 'process_closed' }
  | { readonly type: 'interrupted' }
  | { readonly type: 'cancelled' };

export const initialState: SessionState = { status: 'running', outcome: undefined };

/** Returns the state after `event`, or undefined if the transition is illegal. */
export function nextState(state: SessionState, event: StateEvent): SessionState | undefined {
  if (state.status === 'cancelled') return state;
  const inTurn = state.status === 'running' || state.status === 'waiting';
  switch (event.type) {
    case 'turn_started':
      return inTurn ? undefined : { ...state, status: 'running' };
    case 'input_requested':
      return inTurn ? { ...state, status: 'waiting' } : undefined;
    case 'input_settled':
      if (state.status !== 'waiting') return undefined;
      return { ...state, status: event.othersOpen ? 'waiting' : 'running' };
    case 'turn_ended':
      if (!inTurn) return undefined;
      return { outcome: event.outcome, status: statusAfter(event) };
    case 'process_closed':
    case 'interrupted':
      return inTurn ? undefined : state;
    case 'cancelled':
      return { ...state, status: 'cancelled' };
  }
}

function statusAfter(event: { outcome: Outcome; promptQueued: boolean }): SessionStatus {
  if (event.promptQueued) return 'running';
  return event.outcome === 'failed' ? 'error' : 'idle';
}
