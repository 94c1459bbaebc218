import { withoutSecrets } from '../state/record-options.js';
import type { SessionRecord } from '../state/record-store.js';
import type { Session } from '../session/session.js';

/** What of a session outlives this server. */
export function toRecord(session: Session, now: number): SessionRecord {
  const { status, outcome } = session.state;
  return {
    version: 1,
    sessionId: session.id,
    claudeSessionId: session.conversation.claudeSessionId,
    createdAt: session.createdAt,
    updatedAt: now,
    status,
    ...(outcome === undefined ? {} : { outcome }),
    turn: session.turnNumber,
    totals: session.totals,
    potId: session.pot.id,
    grants: session.grants,
    ...(session.isForeign ? { isForeign: true } : {}),
    ...withoutSecrets(session.options),
  };
}
