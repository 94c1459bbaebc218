import { AppError } from '../../core/errors.js';
import { parseSessionId } from '../../core/ids.js';
import { fitText } from '../../events/digest.js';
import type { ToolDependencies } from '../shared/define-tool.js';
import type { Watch } from '../shared/watch.js';
import { defaultMaxEvents, defaultWaitMs } from './defaults.js';
import { snapshotOf, type Include } from './snapshot/snapshot.js';

interface CheckOne {
  readonly sessionId: string;
  readonly cursor?: number | string | undefined;
  readonly waitMs?: number | undefined;
  readonly maxEvents?: number | undefined;
  readonly include?: readonly Include[] | undefined;
}

/** One session: waits for news after the cursor, or, without one, for anything but a running turn. */
export async function checkOne(input: CheckOne, { sessions }: ToolDependencies): Promise<Watch> {
  const session = await sessions.find(parseSessionId(input.sessionId));
  const cursor = input.cursor === undefined ? undefined : parseCursor(input.cursor);
  // Refuses a cursor past the end before anything waits for it.
  session.log.read(cursor ?? 0, 0);
  const { waitMs = defaultWaitMs, maxEvents = defaultMaxEvents } = input;
  const include = new Set(input.include);
  return {
    targets: [{ session, cursor }],
    mode: 'any',
    waitMs,
    seen: cursor ?? 0,
    tell: (news) => fitText((room) => snapshotOf(session, { ...news, cursor, include, maxEvents }, room)),
  };
}

/** Some clients send every number as text. */
function parseCursor(cursor: number | string): number {
  const value = typeof cursor === 'string' && /^\d{1,15}$/.test(cursor) ? Number(cursor) : cursor;
  if (typeof value === 'number') return value;
  throw new AppError('cursor_not_of_one');
}
