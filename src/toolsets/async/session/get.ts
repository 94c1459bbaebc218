import { allTokens } from '../../../core/session/usage.js';
import { shrinking } from '../../../core/view.js';
import type { Inspection } from '../../../session/session.js';
import type { SessionView } from '../../../session/session-view.js';
import type { SensitiveDetails } from '../../../sessions/session-controls.js';
import { areKeptCut } from '../../shared/restart-fields.js';
import { textPage } from '../../shared/text-page.js';
import { fitting, isFitting } from '../snapshot/fitting.js';
import { maxTitleChars, snapshotOf, titleField, type SnapshotRequest } from '../snapshot/snapshot.js';
import { idOf, type SessionAction } from './action.js';
import { isoTime } from '../../../core/text/iso-time.js';

export const get: SessionAction = {
  takes: ['sessionId', 'includeSensitive', 'offset'],
  async run(input, deps, context) {
    const { sessions, words } = deps;
    const { includeSensitive = false, offset } = input;
    const session = await sessions.findToShow(await idOf(input, deps, context));
    const sensitive = includeSensitive ? sessions.controls.sensitiveDetails(session.view) : {};
    const inspection = await session.inspect();
    if (offset !== undefined) {
      const details = JSON.stringify(detailsOf(session.view, { inspection, sensitive }));
      return textPage({ sessionId: session.id }, details, offset);
    }
    const rights = sessions.approvals.rightsOf(context.caller);
    return shrinking((room) => describeSession(session.view, { rights, words, inspection, sensitive }, room));
  },
};

interface Details {
  readonly inspection: Inspection;
  /** Empty unless the caller asks for it and the operator allows it. */
  readonly sensitive: Partial<SensitiveDetails>;
}

interface DetailRequest extends SnapshotRequest, Details {}

/** What answers truncate, in full. What can change while a caller reads comes last: it moves no other part. */
function detailsOf(session: SessionView, { inspection, sensitive }: Details): Record<string, unknown> {
  const { title, folder, kept, lastResult } = session;
  return {
    title,
    cwd: folder,
    ...sensitive,
    options: optionsOf(session),
    ...(kept.length === 0 ? {} : { keptPrompts: kept }),
    changedFiles: lastResult?.changedFiles,
    mcpServers: inspection.mcpServers,
  };
}

/** Whether the description has less than the details. */
function isCut(session: SessionView, details: Details, room: number): boolean {
  const { title = '', keptPrompts: _kept, changedFiles: _files, ...values } = detailsOf(session, details);
  return (
    String(title).length > maxTitleChars ||
    areKeptCut(session, room) ||
    Object.values(values).some((value) => !isFitting(value, room))
  );
}

function optionsOf({ shownOptions }: SessionView): object {
  const { model, permissionMode, allowedTools, disallowedTools, maxTurns, maxBudgetUsd, effort } =
    shownOptions;
  return { model, permissionMode, allowedTools, disallowedTools, maxTurns, maxBudgetUsd, effort };
}

/** Omits system prompt, agents and additional folders unless `sensitive` has them. */
function describeSession(
  session: SessionView,
  { inspection, sensitive, ...request }: DetailRequest,
  room: number,
): Record<string, unknown> {
  const { read } = request.words;
  const isSensitive = Object.keys(sensitive).length > 0;
  return {
    ...snapshotOf(session, request, room),
    ...titleField(session),
    readMore: isCut(session, { inspection, sensitive }, room)
      ? read.details?.(session.id, isSensitive)
      : undefined,
    createdAt: isoTime(session.createdAt),
    lastUsedAt: isoTime(session.lastUsedAt),
    turn: session.turnNumber,
    totalCostUsd: session.totals.costUsd,
    sessionTotalTurns: session.totals.turns,
    totalTokens: session.totals.tokens && allTokens(session.totals.tokens),
    tokens: session.totals.tokens,
    contextUsage: inspection.contextUsage,
    mcpServers: fitting(inspection.mcpServers, room),
    options: fitting(optionsOf(session), room),
    cwd: fitting(session.folder, room),
    ...fittingDetails(sensitive, room),
  };
}

export function fittingDetails(details: Partial<SensitiveDetails>, room: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([key, value]) => [key, fitting(value, room)]));
}
