import { cutMiddle } from '../../../core/text/escape.js';
import { shrinking } from '../../../core/view.js';
import { idOf, type SessionAction } from './action.js';
import { fitting } from '../snapshot/snapshot.js';

export const transcript: SessionAction = {
  takes: ['sessionId', 'limit', 'offset', 'order'],
  async run(input, { sessions }) {
    const { limit = 20, offset = 0, order = 'newest' } = input;
    const sessionId = idOf(input);
    const { messages, total } = await sessions.controls.transcript(sessionId, { limit, offset, order });
    return shrinking((room) => {
      // A message costs about 130 characters even without its text, so few of many are shown.
      const shown = messages.slice(0, Math.max(1, Math.floor(room / 60)));
      const share = Math.floor(room / Math.max(1, shown.length));
      const next = offset + shown.length;
      return {
        sessionId,
        messages: shown.map(({ uuid, role, at, text, tools }) => ({
          uuid,
          role,
          at,
          text: cutMiddle(text, share),
          ...(tools.length === 0 ? {} : { tools: fitting(tools, share) }),
        })),
        ...(next < total ? { nextOffset: next } : {}),
        total,
      };
    });
  },
};
