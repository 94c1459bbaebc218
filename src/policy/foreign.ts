import { AppError } from '../core/errors.js';
import type { PolicySettings } from './settings.js';

/** Refuses to resume a session that this server did not start, unless the operator allows it. */
export function refuseForeignResume({ history, allowDiskResume }: PolicySettings): void {
  const isListedOnly = history === 'off' || history === 'list';
  if (!isListedOnly && allowDiskResume) return;
  throw new AppError('foreign_resume_refused', {
    setting: isListedOnly ? 'CLAUDE_CODE_MCP_HISTORY=resume' : 'CLAUDE_CODE_MCP_ALLOW_DISK_RESUME=1',
  });
}

/** Refuses to show the conversation of a session that this server did not start, unless the operator allows it. */
export function refuseForeignReading(policy: PolicySettings): void {
  if (mayReadForeign(policy)) return;
  throw new AppError('foreign_reading_refused');
}

export function mayReadForeign({ history }: PolicySettings): boolean {
  return history === 'read';
}

/** Whether callers may list sessions that this server did not start. */
export function mayListHistory({ history }: Pick<PolicySettings, 'history'>): boolean {
  return history !== 'off';
}

export function refuseHistory(policy: Pick<PolicySettings, 'history'>): void {
  if (mayListHistory(policy)) return;
  throw new AppError('listing_refused');
}
