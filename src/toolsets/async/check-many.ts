import type { SessionView } from '../../session/session-view.js';
import type { ToolDependencies } from '../shared/define-tool.js';
import { ownCursor } from '../shared/own-cursor.js';
import type { Watch } from '../shared/watch.js';
import { formatJoinCursor, parseJoinCursor } from './join-cursor.js';
import { snapshotOf, titleField, type Include, type Snapshot } from './snapshot/snapshot.js';
import { defaultWaitMs } from './snapshot/watch.js';

interface CheckMany {
  readonly sessionIds: readonly string[];
  readonly waitFor?: 'any' | 'all' | undefined;
  readonly cursor?: number | string | undefined;
  readonly waitMs?: number | undefined;
  readonly maxEvents?: number | undefined;
  readonly include?: readonly Include[] | undefined;
}

/** Waits for the first news of any session, or until no session is running. */
export async function checkMany(input: CheckMany, deps: ToolDependencies): Promise<Watch> {
  const found = [...new Set(input.sessionIds)].map(async (id) =>
    deps.sessions.findToShow(await deps.sessions.ids.resolve(id)),
  );
  // Otherwise the error would name the session whose lookup fails first, and not the first in the list.
  await Promise.allSettled(found);
  const byId = new Map((await Promise.all(found)).map((session) => [session.id, session]));
  const sessions = [...byId.values()];
  const seen = input.cursor === undefined ? undefined : parseJoinCursor(input.cursor, sessions);
  const targets = sessions.map((session) => ({ session, cursor: ownCursor(session, seen?.get(session)) }));
  const { waitFor: mode = 'any', waitMs = defaultWaitMs, maxEvents } = input;
  const include = new Set(input.include);
  const show: Watch['show'] =
    ({ rights, words, waitLimitMs }) =>
    (room) => {
      if (room === 0)
        return {
          sessions: targets.map(({ session }) => outline(session.view)),
          waitLimitMs,
          cursor: input.cursor,
        };
      const share = Math.floor(room / targets.length);
      const shown = targets.map(({ session: { id, view }, cursor }) => {
        const snapshot = snapshotOf(view, { rights, words, cursor, include, maxEvents }, share);
        return { sessionId: id, ...(seen === undefined ? titleField(view) : {}), ...snapshot };
      });
      return { sessions: shown.map(withoutCursor), waitLimitMs, cursor: formatJoinCursor(shown) };
    };
  return { targets, mode, waitMs, seen: 0, show };
}

/** Used when not even the shortest snapshots fit: enough to check one of them. The cursor does not advance. */
function outline({ id, state, openInputs }: SessionView): Record<string, unknown> {
  return { sessionId: id, status: state.status, requests: openInputs.length || undefined };
}

function withoutCursor({ cursor: _cursor, ...snapshot }: Snapshot): object {
  return snapshot;
}
