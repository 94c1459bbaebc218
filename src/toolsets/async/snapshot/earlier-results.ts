import { cutMiddle, cutNote } from '../../../core/text/escape.js';
import type { SessionView } from '../../../session/session-view.js';
import type { Vocabulary } from '../../shared/wording/vocabulary.js';

const maxResults = 10;

/**
 * Results that the caller has not seen, before the last one: queued prompts can end between two checks, and the cursor
 * moves past all of them.
 */
export function earlierResults(
  { id, log, lastResultSeq }: Pick<SessionView, 'id' | 'log' | 'lastResultSeq'>,
  { cursor, words }: { readonly cursor?: number | undefined; readonly words: Vocabulary },
  room: number,
): readonly object[] | undefined {
  if (cursor === undefined) return undefined;
  const ends = log
    .read(cursor)
    .events.flatMap((event) =>
      (event.type === 'result' || event.type === 'error') && event.seq < lastResultSeq ? [event] : [],
    )
    .slice(-maxResults);
  if (ends.length === 0) return undefined;
  const chars = Math.floor(room / (2 * ends.length));
  return ends.map(({ turn, text, errorSubtype, ...end }) => {
    const result = cutMiddle(text, chars);
    return {
      turn,
      outcome: end.type === 'result' ? end.outcome : 'failed',
      errorSubtype,
      result,
      // Events hold only a part of a long text.
      readMore: cutNote.test(result) ? words.read.messages?.(id) : undefined,
    };
  });
}
