import { cutMiddle, oneLine } from '../../../core/text/escape.js';
import { fitText } from '../../../events/digest.js';
import type { ListedSession } from '../../../sessions/session-list.js';
import { renderPage } from '../../shared/session-page.js';
import type { SessionAction } from './action.js';
import { listEntry } from './views.js';

export const list: SessionAction = {
  takes: ['scope', 'projectDirectory', 'query', 'limit'],
  async run({ scope = 'server', projectDirectory, query, limit = 20 }, { sessions }) {
    const page = await sessions.catalogue.list({ scope, projectDirectory, query, limit });
    return fitText((room) => renderPage(page, room, listLine));
  },
};

function listLine(
  { sessionId, session, disk, lastUsedAt, ownerPid }: ListedSession,
  textChars: number,
): Record<string, unknown> {
  const { firstPrompt, cwd, origin, bytes } = disk ?? {};
  const title = session?.title ?? disk?.title;
  return {
    sessionId,
    ...(session && listEntry(session)),
    title: title && oneLine(title, textChars),
    firstPrompt: title === undefined ? firstPrompt && oneLine(firstPrompt, textChars) : undefined,
    lastUsedAt: new Date(lastUsedAt).toISOString(),
    cwd: cwd && cutMiddle(cwd, Math.max(80, textChars)),
    origin,
    bytes,
    ownerPid,
  };
}
