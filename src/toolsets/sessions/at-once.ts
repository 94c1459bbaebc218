import { fitText } from '../../events/digest.js';
import type { Session } from '../../session/session.js';
import type { News, Watch } from '../shared/watch.js';

/** These tools wait for nothing; a person may be shown a form all the same. */
export function atOnce(session: Session, view: (room: number, news: News) => object): Watch {
  return {
    targets: [{ session, cursor: undefined }],
    mode: 'any',
    waitMs: 0,
    asksAtOnce: true,
    seen: 0,
    tell: (news) => fitText((room) => view(room, news)),
  };
}
