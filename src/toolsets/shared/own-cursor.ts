import type { Session } from '../../session/session.js';

/**
 * Throws for a cursor past the end, which would otherwise wait for nothing. An earlier server may have counted further
 * than its record says: its caller gets the present state, as without a cursor.
 */
export function ownCursor({ view }: Session, cursor: number | undefined): number | undefined {
  if (view.isRestored && cursor !== undefined && cursor > view.log.head) return undefined;
  view.log.read(cursor ?? 0, 0);
  return cursor;
}
