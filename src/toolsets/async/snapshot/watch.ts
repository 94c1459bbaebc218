import type { Session } from '../../../session/session.js';
import type { SessionManager } from '../../../sessions/session-manager.js';
import type { News, Watch } from '../../shared/watch.js';
import { snapshotOf, type SnapshotRequest } from './snapshot.js';

/** For the tools that exist to wait; the others answer at once. */
export const defaultWaitMs = 30_000;

interface SnapshotWatch extends Omit<SnapshotRequest, keyof News> {
  readonly waitMs: number;
  /** With a cursor only news after it ends the wait; without one the present state can. */
  readonly waitAfter?: number | undefined;
}

/** Waits for one session and answers with its snapshot. */
export function watchSession(session: Session, { waitMs, waitAfter, ...request }: SnapshotWatch): Watch {
  return {
    targets: [{ session, cursor: waitAfter }],
    mode: 'any',
    waitMs,
    seen: request.cursor ?? 0,
    show: (news, room) => snapshotOf(session.view, { ...request, ...news }, room),
  };
}

/** What only the first snapshot of a session has. */
export function firstFields(
  session: Session,
  sessions: SessionManager,
): Pick<SnapshotRequest, 'isFirst' | 'resumeToken'> {
  return { isFirst: true, resumeToken: sessions.resumeTokenOf(session) };
}
