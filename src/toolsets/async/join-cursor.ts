import { AppError } from '../../core/errors.js';
import type { Session } from '../../session/session.js';

/** One opaque cursor for several sessions: a comma-separated list of `<first 8 characters of the id>:<seq>`. */
export function formatJoinCursor(
  seen: readonly { readonly sessionId: string; readonly cursor: number }[],
): string {
  return seen.map(({ sessionId, cursor }) => `${sessionId.slice(0, 8)}:${cursor}`).join(',');
}

/** The position in each session. A session that the cursor does not name starts at 0, as all do for the cursor 0. */
export function parseJoinCursor(
  cursor: string | number,
  sessions: readonly Session[],
): ReadonlyMap<Session, number> {
  const parts = String(cursor) === '0' ? [] : String(cursor).split(',');
  const seen = new Map<string, number>();
  for (const part of parts) {
    const [, prefix = '', seq = ''] = /^([0-9a-f]{8}):(\d{1,15})$/.exec(part) ?? [];
    if (prefix === '') {
      throw new AppError('cursor_not_of_several');
    }
    seen.set(prefix, Number(seq));
  }
  return new Map(sessions.map((session) => [session, seen.get(session.id.slice(0, 8)) ?? 0]));
}
