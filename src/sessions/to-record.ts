import { withoutSecrets } from '../state/record-options.js';
import type { SessionRecord } from '../state/record-store.js';
import type { TurnResult } from '../core/session/turn-result.js';
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
    ...(session.firstPrompt === undefined ? {} : { firstPrompt: session.firstPrompt }),
    ...(session.log.head === 0 ? {} : { cursor: session.log.head }),
    ...savedResult(session.lastResult),
    totals: session.totals,
    potId: session.budgetId,
    grants: session.grants,
    ...(session.isForeign ? { isForeign: true } : {}),
    ...withoutSecrets(session.options),
  };
}

/** The text of a longer result is read from the transcript instead. A record is written several times a turn. */
const maxSavedChars = 500_000;

function savedResult(result: TurnResult | undefined): Pick<SessionRecord, 'lastResult'> {
  if (result === undefined) return {};
  const {
    refusal: _refusal,
    usage: _usage,
    modelUsage: _models,
    permissionDenials: _denials,
    ...saved
  } = result;
  if (isShort(saved)) return { lastResult: saved };
  const { result: _result, structuredOutput: _output, ...rest } = saved;
  return isShort(rest) ? { lastResult: rest } : {};
}

function isShort(saved: object): boolean {
  return JSON.stringify(saved).length <= maxSavedChars;
}
