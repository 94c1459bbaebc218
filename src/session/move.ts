import type { Logger } from '../core/logger.js';
import { nextState, type SessionState, type StateEvent } from '../core/session-state.js';

/** The state after the event; a move that is not in the table is logged, and changes nothing. */
export function move(
  state: SessionState,
  event: StateEvent,
  logger: Logger,
  sessionId: string,
): SessionState {
  const next = nextState(state, event);
  if (next !== undefined) return next;
  logger.log('error', 'illegal state move', { sessionId, from: state.status, event: event.type });
  return state;
}
