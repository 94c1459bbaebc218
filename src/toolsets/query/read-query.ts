import type { View } from '../../core/view.js';
import type { HandlerDependencies } from '../shared/define-tool.js';
import { resultPage, textPage } from '../shared/text-page.js';
import { transcriptView } from '../shared/transcript-view.js';

/** What to read of an earlier query: a message, the messages from an offset, or its result. */
export interface QueryPlace {
  readonly resultOffset: number | undefined;
  readonly messageOffset: number | undefined;
  readonly messageId: string | undefined;
}

const pageMessages = 50;

/** Reads an earlier query to its end: its own answer has room for only a part of a long one. */
export async function readQuery(
  anyId: string,
  { resultOffset = 0, messageOffset, messageId }: QueryPlace,
  { sessions, words }: HandlerDependencies,
  signal: AbortSignal,
): Promise<View> {
  const sessionId = await sessions.ids.resolve(anyId);
  const { transcripts } = sessions.controls;
  if (messageId !== undefined)
    return textPage(
      { sessionId, messageId },
      await transcripts.message(sessionId, messageId, signal),
      resultOffset,
    );
  if (messageOffset === undefined)
    return resultPage(await sessions.findToShow(sessionId), sessions, { sessionId }, resultOffset);
  const request = { limit: pageMessages, offset: messageOffset, order: 'oldest' } as const;
  return transcriptView(sessionId, await transcripts.page(sessionId, request, signal), words);
}
