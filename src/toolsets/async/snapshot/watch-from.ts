import { fitText } from '../../../events/digest.js';
import type { Session } from '../../../session/session.js';
import type { Watch } from '../../shared/watch.js';
import { snapshotOf, type SnapshotRequest } from './snapshot.js';

/** Waits for anything but a running turn, and tells what came after `seen`. */
export function watchFrom(
  session: Session,
  seen: number,
  { waitMs, ...first }: { readonly waitMs: number } & Pick<SnapshotRequest, 'isFirst' | 'resumeToken'>,
): Watch {
  return {
    targets: [{ session, cursor: undefined }],
    mode: 'any',
    waitMs,
    seen,
    tell: (news) => fitText((room) => snapshotOf(session, { ...news, ...first, cursor: seen }, room)),
  };
}
