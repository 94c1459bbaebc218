import { AppError } from '../../core/errors.js';
import { shrinking, type View } from '../../core/view.js';
import { inputText } from '../../inputs/present.js';
import type { Session } from '../../session/session.js';

/** A piece of a result or input that is too long for one answer. */
export function pageView(session: Session, requestId: string | undefined, offset: number): View {
  const whole = wholeText(session, requestId);
  if (offset > whole.length) {
    throw new AppError('INVALID_ARGUMENT', `resultOffset ${offset} is past the end (${whole.length})`, {
      hint: 'Begin at 0 and go on with nextOffset.',
    });
  }
  return shrinking((room) => {
    const text = whole.slice(offset, offset + Math.max(room, 50));
    const nextOffset = offset + text.length;
    return {
      sessionId: session.id,
      status: session.state.status,
      ...(requestId === undefined ? {} : { requestId }),
      text,
      offset,
      totalChars: whole.length,
      ...(nextOffset < whole.length ? { nextOffset } : {}),
    };
  });
}

function wholeText(session: Session, requestId: string | undefined): string {
  if (requestId !== undefined) {
    const request = session.openInputs.find((input) => input.requestId === requestId);
    if (request === undefined)
      throw new AppError('INVALID_ARGUMENT', `no request ${requestId} is open in this session`, {
        hint: 'Use a requestId of its actions.',
      });
    return inputText(request);
  }
  if (session.lastResult === undefined) {
    throw new AppError('INVALID_ARGUMENT', 'this session has no result yet', {
      hint: 'Wait for one with waitMs.',
    });
  }
  return session.lastResult.result;
}
