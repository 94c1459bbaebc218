import { withoutSecrets } from '../state/record-options.js';
import type { SessionRecord } from '../state/record-store.js';
import type { SessionView } from '../session/session-view.js';

/** Builds the record of a session, which outlives this server. */
export function toRecord(session: SessionView, now: number): SessionRecord {
  const { status, outcome } = session.state;
  return {
    version: 1,
    sessionId: session.id,
    claudeSessionId: session.claudeSessionId,
    createdAt: session.createdAt,
    updatedAt: now,
    status,
    ...(outcome === undefined ? {} : { outcome }),
    turn: session.turnNumber,
    totals: session.totals,
    potId: session.budgetId,
    grants: session.grants,
    ...(session.isForeign ? { isForeign: true } : {}),
    ...withoutSecrets(session.options),
  };
}
