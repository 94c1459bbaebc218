import { AppError } from '../../core/errors.js';
import { plainName } from '../../core/text/nearest.js';

/** Names by which callers pass the session that they want to continue. */
const sessionKeys: ReadonlySet<string> = new Set([
  'sessionid',
  'session',
  'resume',
  'resumesessionid',
  'threadid',
  'conversationid',
]);

/** For a start that names a session: points to the tool that continues it. */
export function sessionAtStart(args: Readonly<Record<string, unknown>>): AppError | undefined {
  const key = Object.keys(args).find((name) => sessionKeys.has(plainName(name)));
  return key === undefined ? undefined : new AppError('session_id_at_start', { key });
}
