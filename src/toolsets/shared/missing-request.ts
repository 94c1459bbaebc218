import { AppError } from '../../core/errors.js';
import { parseIdStart } from '../../core/ids.js';
import type { ToolDependencies } from './define-tool.js';

/** For an answer that does not say which request it answers: names those that are open. */
export function missingRequest(
  sessionId: unknown,
  { sessions }: Pick<ToolDependencies, 'sessions'>,
): AppError {
  const start = typeof sessionId === 'string' ? parseIdStart(sessionId) : undefined;
  return new AppError('request_id_missing', { open: sessions.approvals.openRequests(start) });
}
