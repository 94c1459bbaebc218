import { oneLine } from '../core/text/escape.js';
import type { Session } from '../session/session.js';

/** A session in words for a person; one that is not known any more by its id alone. */
export function nameOf(id: string, session: Session | undefined): string {
  const { title, options } = session ?? {};
  const cwd = options?.cwd;
  const name = title === undefined ? '' : ` "${oneLine(title, 80).replaceAll('"', "'")}"`;
  return `session${name} ${id.slice(0, 8)}${cwd === undefined ? '' : `, folder ${oneLine(cwd, 200)}`}`;
}
