import { AppError } from '../core/errors.js';
import type { SessionId } from '../core/ids.js';

export function sessionNotFound(id: SessionId): AppError {
  return new AppError('session_unknown', { sessionId: id });
}
