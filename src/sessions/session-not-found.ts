import { AppError } from '../core/errors.js';
import type { SessionId } from '../core/ids.js';

export function sessionNotFound(id: SessionId): AppError {
  return new AppError('SESSION_NOT_FOUND', `no session ${id} is known here`, {
    hint: 'Call claude_code_session with action "list", or start a new one with claude_code.',
  });
}
