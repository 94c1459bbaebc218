import { AppError } from '../../core/errors.js';
import type { Session } from '../../session/session.js';
import type { Watch } from '../shared/watch.js';
import type { Include } from './snapshot/snapshot.js';
import { defaultWaitMs, watchSession } from './snapshot/watch.js';

interface CheckOne {
  readonly cursor?: number | string | undefined;
  readonly waitMs?: number | undefined;
  readonly maxEvents?: number | undefined;
  readonly include?: readonly Include[] | undefined;
}

/** One session: waits for news after the cursor, or, without one, for anything but a running turn. */
export function checkOne(session: Session, input: CheckOne): Watch {
  const { waitMs = defaultWaitMs, maxEvents, include } = input;
  const cursor = input.cursor === undefined ? undefined : parseCursor(input.cursor);
  // Refuses a cursor past the end before anything waits for it.
  session.view.log.read(cursor ?? 0, 0);
  return watchSession(session, {
    waitMs,
    waitAfter: cursor,
    cursor,
    include: new Set(include),
    maxEvents,
  });
}

/** Some clients send every number as text. */
function parseCursor(cursor: number | string): number {
  const value = typeof cursor === 'string' && /^\d{1,15}$/.test(cursor) ? Number(cursor) : cursor;
  if (typeof value === 'number') return value;
  throw new AppError('cursor_not_of_one');
}
