import { cutMiddle, oneLine } from '../../core/escape.js';
import { fitText } from '../../events/digest.js';
import type { CatalogueEntry, CataloguePage } from '../../session/session-catalogue.js';
import type { SessionAction } from './session-action.js';
import { listEntry } from './session-views.js';

export const list: SessionAction = {
  takes: ['scope', 'projectDirectory', 'query', 'limit'],
  async run({ scope = 'server', projectDirectory, query, limit = 20 }, { sessions }) {
    const page = await sessions.catalogue.list({ scope, projectDirectory, query, limit });
    return fitText((room) => render(page, room));
  },
};

/** Fewer sessions before unreadable ones: what is not shown can be asked for. */
function render({ entries, more, skipped }: CataloguePage, room: number): Record<string, unknown> {
  const shown = entries.slice(0, Math.max(1, Math.floor(room / 50)));
  const textChars = Math.max(40, Math.min(120, Math.floor(room / Math.max(1, shown.length))));
  const left = more + entries.length - shown.length;
  const notes = [
    left > 0 ? `${left} older sessions are not shown` : '',
    skipped > 0 ? `${skipped} empty, damaged or unreadable files were skipped` : '',
  ].filter((note) => note !== '');
  return {
    sessions: shown.map((entry) => listLine(entry, textChars)),
    ...(notes.length > 0 ? { message: notes.join('; ') } : {}),
  };
}

function listLine(
  { sessionId, session, disk, lastUsedAt, ownerPid }: CatalogueEntry,
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
