import { isUuid, type SessionId } from '../../core/ids.js';
import { oneLine } from '../../core/text/escape.js';
import { CommandFailure } from '../terminal/failure.js';

const shown = 5;

/** The session that a person means by the beginning of its id. */
export async function findSession(
  typed: string,
  idsLike: (prefix: string) => Promise<readonly SessionId[]>,
): Promise<SessionId> {
  const text = typed.trim().toLowerCase();
  const word = oneLine(typed, 60);
  if (!/^[0-9a-f-]+$/.test(text))
    throw new CommandFailure(
      `${word} is not the id of a session. Run claude-code-mcp sessions to list them.`,
    );
  const ids = await idsLike(text);
  const [only] = ids;
  if (only !== undefined && (ids.length === 1 || isUuid(text))) return only;
  if (only === undefined)
    throw new CommandFailure(
      `No session has an id that begins with ${word}. Run claude-code-mcp sessions to list them.`,
    );
  const some = ids
    .slice(0, shown)
    .map((id) => `\n  ${id}`)
    .join('');
  const more = ids.length > shown ? `\n  and ${ids.length - shown} more` : '';
  throw new CommandFailure(
    `${ids.length} sessions have an id that begins with ${word}. Type more of it:${some}${more}`,
  );
}
