import type { View } from '../../core/view.js';
import type { Session } from '../../session/session.js';
import type { SessionManager } from '../../sessions/session-manager.js';
import { inputPage, resultPage } from '../shared/text-page.js';

interface LongTextRequest {
  readonly requestId: string | undefined;
  readonly resultOffset: number | undefined;
}

/** A page of a long input or result, if the call asks for one. */
export function longText(
  session: Session,
  { requestId, resultOffset }: LongTextRequest,
  sessions: SessionManager,
): { readonly view: View } | undefined {
  const head = { sessionId: session.id, status: session.view.state.status };
  if (requestId !== undefined)
    return { view: inputPage(session, requestId, { ...head, requestId }, resultOffset) };
  return resultOffset === undefined ? undefined : { view: resultPage(session, sessions, head, resultOffset) };
}
