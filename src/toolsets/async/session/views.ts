import { cutMiddle } from '../../../core/text/escape.js';
import { allTokens } from '../../../core/session/usage.js';
import type { Inspection } from '../../../session/session.js';
import type { Session } from '../../../session/session.js';
import type { SensitiveDetails } from '../../../sessions/session-controls.js';
import { fitting, snapshotOf, type SnapshotRequest } from '../snapshot/snapshot.js';

/** A line of the list: enough to choose one. */
export function listEntry(session: Session): Record<string, unknown> {
  const { state, totals } = session;
  return {
    sessionId: session.id,
    title: session.title && cutMiddle(session.title, 80),
    status: state.status,
    outcome: state.outcome,
    activity: state.status === 'running' ? session.activity() : undefined,
    turns: session.turnNumber,
    totalCostUsd: totals.costUsd,
    totalTokens: totals.tokens && allTokens(totals.tokens),
    lastUsedAt: new Date(session.lastUsedAt).toISOString(),
  };
}

interface DetailRequest extends SnapshotRequest {
  readonly inspection: Inspection;
  /** Empty unless the caller asked for it and the operator allows it. */
  readonly sensitive: Partial<SensitiveDetails>;
}

/** Everything about one session that a caller may know by default: no paths, no prompts, no environment. */
export function describeSession(
  session: Session,
  { inspection, sensitive, ...request }: DetailRequest,
  room: number,
): Record<string, unknown> {
  const { model, permissionMode, allowedTools, disallowedTools, maxTurns, maxBudgetUsd, effort } =
    session.shownOptions;
  return {
    ...snapshotOf(session, request, room),
    createdAt: new Date(session.createdAt).toISOString(),
    lastUsedAt: new Date(session.lastUsedAt).toISOString(),
    turns: session.turnNumber,
    totalCostUsd: session.totals.costUsd,
    sessionTotalTurns: session.totals.turns,
    totalTokens: session.totals.tokens && allTokens(session.totals.tokens),
    tokens: session.totals.tokens,
    backend: inspection.backend,
    contextUsage: inspection.contextUsage,
    mcpServers: fitting(inspection.mcpServers, room),
    options: fitting(
      { model, permissionMode, allowedTools, disallowedTools, maxTurns, maxBudgetUsd, effort },
      room,
    ),
    ...Object.fromEntries(Object.entries(sensitive).map(([key, value]) => [key, fitting(value, room)])),
  };
}
