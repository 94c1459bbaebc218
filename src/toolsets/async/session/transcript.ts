import { textPage } from '../../shared/text-page.js';
import { transcriptView } from '../../shared/transcript-view.js';
import { idOf, type SessionAction } from './action.js';

export const transcript: SessionAction = {
  takes: ['sessionId', 'limit', 'offset', 'order', 'messageId'],
  async run(input, deps, context) {
    const { sessions, words } = deps;
    const { limit = 20, offset = 0, order = 'newest', messageId } = input;
    const { transcripts } = sessions.controls;
    const { signal } = context;
    const sessionId = await idOf(input, deps, context);
    if (messageId !== undefined)
      return textPage(
        { sessionId, messageId },
        await transcripts.message(sessionId, messageId, signal),
        offset,
      );
    const page = await transcripts.page(sessionId, { limit, offset, order }, signal);
    return transcriptView(sessionId, page, words);
  },
};
