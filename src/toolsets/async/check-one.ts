import { AppError } from '../../core/errors.js';
import type { Session } from '../../session/session.js';
import { ownCursor } from '../shared/own-cursor.js';
import type { Watch } from '../shared/watch.js';
import type { Include } from './snapshot/snapshot.js';
import { defaultWaitMs, watchSession } from './snapshot/watch.js';

interface CheckOne {
  readonly cursor?: number | string | undefined;
  readonly waitMs?: number | undefined;
  readonly maxEvents?: number | undefined;
  readonly include?: readonly Include[] | undefined;
  /** By default, if the cursor comes from an earlier answer. */
  readonly isLater?: boolean;
}

/** Waits for news after the cursor. Without a cursor, waits until no turn is running. */
export function checkOne(session: Session, input: CheckOne): Watch {
  const { waitMs = defaultWaitMs, maxEvents, include, ...rest } = input;
  const cursor = ownCursor(session, input.cursor === undefined ? undefined : parseCursor(input.cursor));
  return watchSession(session, {
    waitMs,
    waitAfter: cursor,
    cursor,
    include: new Set(include),
    maxEvents,
    isLater: rest.isLater ?? (cursor ?? 0) > 0,
  });
}

/** Some clients send every number as text. */
function parseCursor(cursor: number | string): number {
  const value = typeof cursor === 'string' && /^\d{1,15}$/.test(cursor) ? Number(cursor) : cursor;
  if (typeof value === 'number') return value;
  throw new AppError('cursor_not_of_one');
}
