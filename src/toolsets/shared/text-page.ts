import { AppError } from '../../core/errors.js';
import { wholeCharacters } from '../../core/text/escape.js';
import { ApproverText, shrinking, type View } from '../../core/view.js';
import { inputText } from '../../inputs/present.js';
import type { Session } from '../../session/session.js';

/** A page at least as long as the widest character, so that reading always advances. */
const minPageChars = 50;

type Head = Readonly<Record<string, unknown>>;

/** A page of a text that is too long for one answer, after the fields in `head`. */
export function textPage(
  head: Head,
  whole: string,
  offset: number,
  dressed: (text: string) => unknown = (text) => text,
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

/** The result of the last turn. */
export function resultText({ view: { lastResult } }: Session): string {
  if (lastResult === undefined) throw new AppError('no_result_yet');
  return lastResult.result;
}

/** A page of the input of an open request, as an approver reads it. */
export function inputPage({ view }: Session, requestId: string, head: Head, offset = 0): View {
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
