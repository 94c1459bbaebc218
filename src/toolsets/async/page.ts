import { AppError } from '../../core/errors.js';
import { ApproverText, shrinking, type View } from '../../core/view.js';
import { inputText } from '../../inputs/present.js';
import type { Session } from '../../session/session.js';

/** A page of a result or input that is too long for one answer. */
export function pageView(session: Session, requestId: string | undefined, offset: number): View {
  const whole = wholeText(session, requestId);
  if (offset > whole.length) {
    throw new AppError('offset_past_end', { offset, end: whole.length });
  }
  return shrinking((room) => {
    const text = whole.slice(offset, offset + Math.max(room, 50));
    const nextOffset = offset + text.length;
    return {
      sessionId: session.id,
      status: session.view.state.status,
      ...(requestId === undefined ? { text } : { requestId, text: new ApproverText(text) }),
      offset,
      totalChars: whole.length,
      ...(nextOffset < whole.length ? { nextOffset } : {}),
    };
  });
}

function wholeText(session: Session, requestId: string | undefined): string {
  if (requestId !== undefined) {
    const request = session.view.openInputs.find((input) => input.requestId === requestId);
    if (request === undefined) throw new AppError('request_not_in_session', { requestId });
    return inputText(request);
  }
  if (session.view.lastResult === undefined) {
    throw new AppError('no_result_yet');
  }
  return session.view.lastResult.result;
}
