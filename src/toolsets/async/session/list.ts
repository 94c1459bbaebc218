import { allTokens } from '../../../core/session/usage.js';
import { cutMiddle, oneLine } from '../../../core/text/escape.js';
import { always, shrinking } from '../../../core/view.js';
import type { SessionView } from '../../../session/session-view.js';
import type { ListedSession } from '../../../sessions/session-list.js';
import { sessionPage } from '../../shared/session-page.js';
import type { SessionAction } from './action.js';
import { fittingDetails } from './get.js';

export const list: SessionAction = {
  takes: ['scope', 'projectDirectory', 'query', 'limit', 'offset', 'includeSensitive'],
  async run(input, { sessions }) {
    const { scope = 'server', projectDirectory, query, limit = 20, offset = 0 } = input;
    const { includeSensitive = false } = input;
    if (includeSensitive) sessions.controls.refuseSensitive();
    const { catalogue } = sessions;
    const page = await catalogue.list({ scope, projectDirectory, query, limit, offset });
    const isMissingDisk = scope === 'server' && catalogue.widestScope === 'all' && page.entries.length === 0;
    if (isMissingDisk && offset === 0) return always({ sessions: [], message: diskHint });
    const goOn = (shown: number): string => ` (continue with offset ${offset + shown})`;
    const line = (entry: ListedSession, textChars: number): Record<string, unknown> => ({
      ...listLine(entry, textChars),
      ...(includeSensitive && entry.session !== undefined
        ? fittingDetails(sessions.controls.sensitiveDetails(entry.session.view), textChars)
        : {}),
    });
    return shrinking((room) => sessionPage(page, room, line, goOn));
  },
};

/** Sessions of an earlier server are only on disk. */
const diskHint =
  'No matching session is loaded. To find sessions of earlier servers and of the terminal, use scope "all".';

function listLine(
  { sessionId, session, disk, lastUsedAt, ownerPid }: ListedSession,
  textChars: number,
): Record<string, unknown> {
  const { origin, bytes } = disk ?? {};
  const folder = session?.view.shownOptions.cwd ?? disk?.cwd;
  const firstPrompt = disk?.firstPrompt ?? session?.view.firstPrompt;
  const title = session?.view.title ?? disk?.title;
  return {
    sessionId,
    title: title && oneLine(title, textChars),
    ...(session && liveFields(session.view)),
    firstPrompt: title === undefined ? firstPrompt && oneLine(firstPrompt, textChars) : undefined,
    lastUsedAt: new Date(lastUsedAt).toISOString(),
    cwd: folder && cutMiddle(folder, Math.max(80, textChars)),
    origin,
    bytes,
    ownerPid,
  };
}

/** Fields of a session in memory. */
function liveFields(session: SessionView): Record<string, unknown> {
  const { state, totals } = session;
  return {
    status: state.status,
    outcome: state.outcome,
    activity: state.status === 'running' ? session.activity() : undefined,
    turn: session.turnNumber,
    totalCostUsd: totals.costUsd,
    totalTokens: totals.tokens && allTokens(totals.tokens),
    lastUsedAt: new Date(session.lastUsedAt).toISOString(),
  };
}
