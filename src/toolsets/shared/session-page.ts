import type { ListedSession, SessionListPage } from '../../sessions/session-list.js';

/** A list of sessions. It drops sessions rather than truncating them beyond use; the caller can page to the rest. */
export function sessionPage(
  { entries, more, skipped }: SessionListPage,
  room: number,
  line: (entry: ListedSession, textChars: number) => Record<string, unknown>,
  /** Says how to list the sessions after this many. */
  goOn: (shown: number) => string,
): Record<string, unknown> {
  const shown = entries.slice(0, Math.max(1, Math.floor(room / 50)));
  const textChars = Math.max(40, Math.min(120, Math.floor(room / Math.max(1, shown.length))));
  const left = more + entries.length - shown.length;
  const notes = [
    left > 0
      ? `${left === 1 ? '1 older session is' : `${left} older sessions are`} not shown${goOn(shown.length)}`
      : '',
    skipped > 0 ? `${skipped} empty, damaged or unreadable files were skipped` : '',
  ].filter((note) => note !== '');
  return {
    sessions: shown.map((entry) => line(entry, textChars)),
    ...(notes.length > 0 ? { message: notes.join('; ') } : {}),
  };
}
