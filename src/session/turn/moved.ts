import type { Logger } from '../../core/observability/logger.js';
import { nextState, type SessionState, type StateEvent } from '../../core/session/session-state.js';

/** The state after an event. What the table does not have is logged, and changes nothing. */
export function moved(
  state: SessionState,
  event: StateEvent,
  { logger, sessionId }: { readonly logger: Logger; readonly sessionId: string },
): SessionState {
  const next = nextState(state, event);
  if (next !== undefined) return next;
  logger.log('error', 'illegal state move', { sessionId, from: state.status, event: event.type });
  return state;
}
