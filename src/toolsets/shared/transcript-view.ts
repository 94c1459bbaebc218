import { cutMiddle } from '../../core/text/escape.js';
import { shrinking, type View } from '../../core/view.js';
import type { MessagePage } from '../../sessions/transcripts.js';
import type { Vocabulary } from './wording/vocabulary.js';

/** A message takes about this many characters even without its text, so only few of many are shown. */
const bareChars = 150;

/** A part of a conversation. Long messages are truncated before any is left for the next page. */
export function transcriptView(
  sessionId: string,
  { messages, hasMore, total }: MessagePage,
  { read }: Vocabulary,
): View {
  return shrinking((room) => {
    const shown = messages.slice(0, Math.max(1, Math.floor(room / bareChars)));
    const share = Math.floor(room / Math.max(1, shown.length));
    const isLast = !hasMore && shown.length === messages.length;
    const cut = shown.find(({ text, tools }) => text.length > share || tools.length > maxTools);
    return {
      sessionId,
      messages: shown.map(({ uuid, role, at, text, tools }) => ({
        uuid,
        role,
        at,
        text: cutMiddle(text, share),
        tools: tools.length === 0 ? undefined : tools.slice(0, maxTools).map((name) => cutMiddle(name, 80)),
      })),
      nextOffset: isLast ? undefined : shown.at(-1)?.cursor,
      total,
      readMore: cut && read.message?.(sessionId, cut.uuid),
    };
  });
}

/** One message rarely calls more tools at once. */
const maxTools = 20;
