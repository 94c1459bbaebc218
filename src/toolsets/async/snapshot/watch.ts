import type { Session } from '../../../session/session.js';
import type { SessionManager } from '../../../sessions/session-manager.js';
import type { News, Watch } from '../../shared/watch.js';
import { snapshotOf, type SnapshotRequest } from './snapshot.js';

/** Applies to the tools whose purpose is to wait. The others answer at once by default. */
export const defaultWaitMs = 30_000;

interface SnapshotWatch extends Omit<SnapshotRequest, keyof News> {
  readonly waitMs: number;
  /** Only news after this cursor ends the wait. Without it, the current state can end it too. */
  readonly waitAfter?: number | undefined;
}

/** Waits for one session, then shows its snapshot. */
export function watchSession(session: Session, { waitMs, waitAfter, ...request }: SnapshotWatch): Watch {
  const target = { session, cursor: waitAfter };
  return {
    targets: [target],
    mode: 'any',
    waitMs,
    seen: request.cursor ?? 0,
    show: (news) => (room) => snapshotOf(target.session.view, { ...request, ...news }, room),
  };
}

/** Fields of the first snapshot only. */
export function firstFields(
  session: Session,
  sessions: SessionManager,
): Pick<SnapshotRequest, 'isFirst' | 'resumeToken'> {
  return { isFirst: true, resumeToken: sessions.resumeTokenOf(session) };
}
