import { parseSessionId } from '../../core/ids.js';
import { fitText } from '../../events/digest.js';
import type { Session } from '../../session/session.js';
import type { ToolDependencies } from '../shared/define-tool.js';
import type { News, Watch } from '../shared/watch.js';
import { defaultMaxEvents, defaultWaitMs } from './defaults.js';
import { formatJoinCursor, parseJoinCursor } from './join-cursor.js';
import { snapshotOf, type Include } from './snapshot/snapshot.js';

interface CheckMany {
  readonly sessionIds: readonly string[];
  readonly waitFor?: 'any' | 'all' | undefined;
  readonly cursor?: number | string | undefined;
  readonly waitMs?: number | undefined;
  readonly maxEvents?: number | undefined;
  readonly include?: readonly Include[] | undefined;
}

/** A join: returns on the first news of any of them, or when all are done or need someone. */
export async function checkMany(input: CheckMany, deps: ToolDependencies): Promise<Watch> {
  const ids = [...new Set(input.sessionIds.map(parseSessionId))];
  const sessions = await Promise.all(ids.map((id) => deps.sessions.find(id)));
  const seen = input.cursor === undefined ? undefined : parseJoinCursor(input.cursor, sessions);
  const targets = sessions.map((session) => ({ session, cursor: seen?.get(session) }));
  for (const { session, cursor } of targets) session.log.read(cursor ?? 0, 0);
  const { waitFor: mode = 'any', waitMs = defaultWaitMs, maxEvents = defaultMaxEvents } = input;
  const include = new Set(input.include);
  const tell = ({ mayApprove, ...waited }: News): string =>
    fitText((room) => {
      if (room === 0)
        return { sessions: targets.map(({ session }) => outline(session)), ...waited, cursor: input.cursor };
      const share = Math.floor(room / targets.length);
      const snapshots = targets.map(({ session, cursor }) =>
        snapshotOf(session, { mayApprove, cursor, include, maxEvents }, share),
      );
      return { sessions: snapshots.map(withoutCursor), ...waited, cursor: formatJoinCursor(snapshots) };
    });
  return { targets, mode, waitMs, seen: 0, tell };
}

/** When not even the shortest snapshots fit: enough to ask for one of them. The cursor stays where it was. */
function outline({ id, state, openInputs }: Session): Record<string, unknown> {
  return { sessionId: id, status: state.status, requests: openInputs.length || undefined };
}

function withoutCursor({
  cursor: _cursor,
  ...snapshot
}: ReturnType<typeof snapshotOf>): Record<string, unknown> {
  return snapshot;
}
