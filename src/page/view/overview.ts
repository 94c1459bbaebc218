import { cutMiddle } from '../../core/text/escape.js';
import { digestEvents } from '../../events/digest.js';
import { summaryOf } from '../../inputs/present.js';
import { rowOf } from '../rows.js';
import type { Session } from '../../session/session.js';
import type { SessionManager } from '../../sessions/session-manager.js';
import type { Overview } from './contract.js';

export interface OverviewRequest {
  /** The session to show. */
  readonly session: Session | undefined;
  readonly after: number;
  readonly mayApprove: boolean;
}

const maxSessions = 20;

/** What a view shows: open requests first, then the latest sessions, then the events of one session. */
export function overview(
  sessions: SessionManager,
  { session, after, mayApprove }: OverviewRequest,
  room: number,
): Overview {
  const requests = sessions.approvals.broker.openFor();
  const shown = requests.slice(0, Math.max(1, Math.floor(room / 400)));
  const rows = sessions.list().map(({ view }) => rowOf(view));
  const few = rows.slice(0, Math.max(1, Math.min(maxSessions, Math.floor(room / 500))));
  return {
    mayApprove,
    requests: shown.map(({ requestId, sessionId, kind, answerAt, shown: ask }) => ({
      requestId,
      sessionId,
      kind,
      summary: cutMiddle(summaryOf(ask), 120),
      answerAt,
    })),
    moreRequests: requests.length - shown.length || undefined,
    sessions: few,
    moreSessions: rows.length - few.length || undefined,
    ...(session === undefined ? {} : sessionFields(session, after, room)),
  };
}

function sessionFields({ view }: Session, after: number, room: number): Partial<Overview> {
  const { events, dropped } = view.log.read(after, Math.max(1, Math.floor(room / 120)));
  return {
    session: rowOf(view),
    events: digestEvents(events, Math.floor(room / 2)),
    cursor: events.at(-1)?.seq ?? view.log.head,
    droppedEvents: dropped || undefined,
    result: view.lastResult && cutMiddle(view.lastResult.result, Math.floor(room / 3)),
  };
}
