import { fitText } from '../../events/digest.js';
import type { Session } from '../../session/session.js';
import type { Watch } from '../watch.js';
import { snapshotOf } from './snapshot.js';

/** Waits for anything but a running turn, and tells what came after `seen`. */
export function watchFrom(
  session: Session,
  seen: number,
  { waitMs, isFirst = false }: { readonly waitMs: number; readonly isFirst?: boolean },
): Watch {
  return {
    targets: [{ session, cursor: undefined }],
    mode: 'any',
    waitMs,
    seen,
    tell: (news) => fitText((room) => snapshotOf(session, { ...news, cursor: seen, isFirst }, room)),
  };
}
