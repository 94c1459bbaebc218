import type { Session } from '../../../session/session.js';
import type { SessionManager } from '../../../sessions/session-manager.js';
import type { SnapshotRequest } from './snapshot.js';

/** What only the first snapshot of a session tells. */
export function first(
  sessions: SessionManager,
  session: Session,
  isFirst: boolean,
): Pick<SnapshotRequest, 'isFirst' | 'resumeToken'> {
  return { isFirst, resumeToken: isFirst ? sessions.resumeTokenOf(session) : undefined };
}
