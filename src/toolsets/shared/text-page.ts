import { AppError } from '../../core/errors.js';
import { visibleJson, wholeCharacters } from '../../core/text/escape.js';
import { ApproverText, RedactedPart, shrinking, type AsBuilt, type View } from '../../core/view.js';
import { inputText } from '../../inputs/present.js';
import type { Session } from '../../session/session.js';
import type { SessionManager } from '../../sessions/session-manager.js';

/** A page at least as long as the widest character, so that reading always advances. */
const minPageChars = 50;

type Head = Readonly<Record<string, unknown>>;

/** A page of a text that is too long for one answer, after the fields in `head`. `whole` was redacted. */
export function textPage(
  head: Head,
  whole: string,
  offset: number,
  dressed: (text: string) => AsBuilt<string> = (text) => new RedactedPart(text),
): View {
  if (offset > whole.length) throw new AppError('offset_past_end', { offset, end: whole.length });
  return shrinking((room) => {
    const text = wholeCharacters(whole.slice(offset, offset + Math.max(room, minPageChars)), 'end');
    const nextOffset = offset + text.length;
    return {
      ...head,
      text: dressed(text),
      offset,
      totalChars: whole.length,
      ...(nextOffset < whole.length ? { nextOffset } : {}),
    };
  });
}

/**
 * A page of the result of the last turn. Another turn may end between two pages, so each names its own. The result was
 * redacted, but the server may have learnt further secrets since.
 */
export function resultPage(
  { view }: Session,
  { approvals, controls }: SessionManager,
  head: Head,
  offset: number,
): View {
  const { lastResult, isUnread } = view;
  if (lastResult !== undefined)
    return textPage({ ...head, turn: lastResult.turn }, approvals.redactor.redact(lastResult.result), offset);
  // To wait for it would not help.
  if (isUnread && !controls.transcripts.mayRead(view)) throw new AppError('foreign_reading_refused');
  throw new AppError('no_result_yet');
}

/**
 * Stands for all prompts that have not run, in place of the id of a request, because a key of its own would cost every
 * client that lists the tools. No request has an id of this length.
 */
export const keptPromptsId = 'keptPrompts';

/** A page of the input of an open request, as an approver reads it. */
export function inputPage({ view }: Session, requestId: string, head: Head, offset = 0): View {
  if (requestId === keptPromptsId) return textPage(head, visibleJson(view.kept), offset);
  const request = view.openInput(requestId);
  if (request === undefined) throw new AppError('request_not_in_session', { requestId });
  return textPage(head, inputText(request), offset, (text) => new ApproverText(text));
}

/** How many characters of a text the caller has already seen at the beginning of its shortened version. */
export function seenChars(whole: string, shown: string): number {
  let count = 0;
  while (count < shown.length && shown[count] === whole[count]) count += 1;
  return wholeCharacters(whole.slice(0, count), 'end').length;
}
