import { allTokens } from '../../../core/session/usage.js';
import { cutMiddle, oneLine } from '../../../core/text/escape.js';
import { isoTime } from '../../../core/text/iso-time.js';
import { always, shrinking } from '../../../core/view.js';
import type { ListedSession, ListedView } from '../../../sessions/session-list.js';
import { runsIn } from '../../shared/restart-fields.js';
import { sessionPage } from '../../shared/session-page.js';
import type { SessionAction } from './action.js';
import { fittingDetails } from './get.js';

export const list: SessionAction = {
  takes: ['scope', 'projectDirectory', 'query', 'limit', 'offset', 'includeSensitive'],
  async run(input, { sessions }, { signal }) {
    const { scope = 'server', projectDirectory, query, limit = 20, offset = 0 } = input;
    const { includeSensitive = false } = input;
    if (includeSensitive) sessions.controls.refuseSensitive();
    const { catalogue } = sessions;
    const page = await catalogue.list({ scope, projectDirectory, query, limit, offset }, signal);
    const isMissingDisk = scope === 'server' && catalogue.widestScope === 'all' && page.entries.length === 0;
    if (isMissingDisk && offset === 0) return always({ sessions: [], message: diskHint });
    const goOn = (shown: number): string => ` (continue with offset ${offset + shown})`;
    const line = (entry: ListedSession, textChars: number): Record<string, unknown> => ({
      ...listLine(entry, textChars),
      ...(includeSensitive && entry.ours !== undefined
        ? fittingDetails(sessions.controls.sensitiveDetails(entry.ours), textChars)
        : {}),
    });
    return shrinking((room) => sessionPage(page, room, line, goOn));
  },
};

/** Sessions that someone else started are not listed by default. */
const diskHint = 'No matching session was started here. To find sessions of the terminal, use scope "all".';

function listLine(
  { sessionId, ours, disk, lastUsedAt, ownerPid }: ListedSession,
  textChars: number,
): Record<string, unknown> {
  const { origin, bytes } = disk ?? {};
  const folder = ours?.folder ?? disk?.cwd;
  // The transcript of a fork begins with the prompt of its parent.
  const firstPrompt = ours?.firstPrompt ?? disk?.firstPrompt;
  const title = ours?.title ?? disk?.title;
  return {
    sessionId,
    title: title && oneLine(title, textChars),
    ...(ours && ourFields(ours)),
    firstPrompt: title === undefined ? firstPrompt && oneLine(firstPrompt, textChars) : undefined,
    lastUsedAt: isoTime(lastUsedAt),
    cwd: folder && cutMiddle(folder, Math.max(80, textChars)),
    origin,
    bytes,
    ownerPid,
  };
}

function ourFields(session: ListedView): Record<string, unknown> {
  const { state, totals } = session;
  return {
    status: state.status,
    // Beside "running", the outcome of an earlier turn would read as that of this one.
    outcome: state.status === 'running' || state.status === 'waiting' ? undefined : state.outcome,
    ...runsIn(session),
    activity: state.status === 'running' ? session.activity() : undefined,
    turn: session.turnNumber,
    totalCostUsd: totals.costUsd,
    totalTokens: totals.tokens && allTokens(totals.tokens),
  };
}
