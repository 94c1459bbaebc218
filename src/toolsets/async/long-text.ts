import type { View } from '../../core/view.js';
import type { Session } from '../../session/session.js';
import { inputPage, resultText, textPage } from '../shared/text-page.js';

interface LongTextRequest {
  readonly requestId: string | undefined;
  readonly resultOffset: number | undefined;
}

/** A page of a long input or result, if the call asks for one. */
export function longText(
  session: Session,
  { requestId, resultOffset }: LongTextRequest,
): { readonly view: View } | undefined {
  const head = { sessionId: session.id, status: session.view.state.status };
  if (requestId !== undefined)
    return { view: inputPage(session, requestId, { ...head, requestId }, resultOffset) };
  return resultOffset === undefined ? undefined : { view: textPage(head, resultText(session), resultOffset) };
}
