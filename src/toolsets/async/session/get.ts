import { allTokens } from '../../../core/session/usage.js';
import { shrinking } from '../../../core/view.js';
import type { Inspection } from '../../../session/session.js';
import type { SessionView } from '../../../session/session-view.js';
import type { SensitiveDetails } from '../../../sessions/session-controls.js';
import { fitting } from '../snapshot/fitting.js';
import { snapshotOf, titleField, type SnapshotRequest } from '../snapshot/snapshot.js';
import { idOf, type SessionAction } from './action.js';
import { isoTime } from '../../../core/text/iso-time.js';

export const get: SessionAction = {
  takes: ['sessionId', 'includeSensitive'],
  async run(input, deps, context) {
    const { sessions, words } = deps;
    const { includeSensitive = false } = input;
    const session = await sessions.findToShow(await idOf(input, deps, context));
    const sensitive = includeSensitive ? sessions.controls.sensitiveDetails(session.view) : {};
    const inspection = await session.inspect();
    const rights = sessions.approvals.rightsOf(context.caller);
    return shrinking((room) => describeSession(session.view, { rights, words, inspection, sensitive }, room));
  },
};

interface DetailRequest extends SnapshotRequest {
  readonly inspection: Inspection;
  /** Empty unless the caller asks for it and the operator allows it. */
  readonly sensitive: Partial<SensitiveDetails>;
}

/** Omits system prompt, agents and additional folders unless `sensitive` has them. */
function describeSession(
  session: SessionView,
  { inspection, sensitive, ...request }: DetailRequest,
  room: number,
): Record<string, unknown> {
  const { model, permissionMode, allowedTools, disallowedTools, maxTurns, maxBudgetUsd, effort } =
    session.shownOptions;
  return {
    ...snapshotOf(session, request, room),
    ...titleField(session),
    createdAt: isoTime(session.createdAt),
    lastUsedAt: isoTime(session.lastUsedAt),
    turn: session.turnNumber,
    totalCostUsd: session.totals.costUsd,
    sessionTotalTurns: session.totals.turns,
    totalTokens: session.totals.tokens && allTokens(session.totals.tokens),
    tokens: session.totals.tokens,
    contextUsage: inspection.contextUsage,
    mcpServers: fitting(inspection.mcpServers, room),
    options: fitting(
      { model, permissionMode, allowedTools, disallowedTools, maxTurns, maxBudgetUsd, effort },
      room,
    ),
    cwd: fitting(session.shownOptions.cwd, room),
    ...fittingDetails(sensitive, room),
  };
}

export function fittingDetails(details: Partial<SensitiveDetails>, room: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([key, value]) => [key, fitting(value, room)]));
}
