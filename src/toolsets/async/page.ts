import { AppError } from '../../core/errors.js';
import { parseSessionId } from '../../core/ids.js';
import { fitText } from '../../events/digest.js';
import { inputText } from '../../inputs/present.js';
import type { Session } from '../../session/session.js';
import type { ToolDependencies } from '../shared/define-tool.js';

interface PageRequest {
  readonly sessionId: string;
  readonly requestId: string | undefined;
  readonly offset: number;
}

/** A piece of a result or input that is too long for one answer. */
export async function readPage(
  { sessionId, requestId, offset }: PageRequest,
  deps: ToolDependencies,
): Promise<string> {
  const session = await deps.sessions.find(parseSessionId(sessionId));
  const whole = wholeText(session, requestId);
  if (offset > whole.length) {
    throw new AppError('offset_past_end', { offset, end: whole.length });
  }
  return fitText((room) => {
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
    if (request === undefined) throw new AppError('request_not_in_session', { requestId });
    return inputText(request);
  }
  if (session.lastResult === undefined) {
    throw new AppError('no_result_yet');
  }
  return session.lastResult.result;
}
