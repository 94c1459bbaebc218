import { sentence } from '../../core/errors.js';
import { cutMiddle } from '../../core/text/escape.js';
import { shrinking, type View } from '../../core/view.js';
import { deniedField } from '../query/denied.js';
import type { QueryEnd, QueryRun } from '../query/query-run.js';
import { notSavedField } from '../shared/restart-fields.js';
import { seenChars } from '../shared/text-page.js';
import { trustHint } from '../shared/wording/hints.js';
import type { Vocabulary } from '../shared/wording/vocabulary.js';

export interface Remarks {
  /** Arguments that had no effect. */
  readonly ignored: readonly string[];
}

/** What the retired server answered, and after it what its callers should also know. */
export function codexView(
  { session, denied }: QueryRun,
  { result, failure }: QueryEnd,
  { ignored }: Remarks,
  words: Vocabulary,
): View {
  const whole =
    failure === undefined
      ? (result?.result ?? '')
      : [sentence(failure.message), failure.nextStep].filter(Boolean).join(' ');
  return shrinking((room) => {
    const content = cutMiddle(whole, room);
    return {
      threadId: session.id,
      content,
      error: failure?.error,
      readMore: content === whole ? undefined : words.read.result?.(session.id, seenChars(whole, content)),
      denied: deniedField(denied),
      ignored: ignored.length === 0 ? undefined : ignored,
      ...notSavedField(session.view),
      projectSettings: trustHint(session.view.options, words),
    };
  });
}
