import { mayAskPerson, type CallerStanding } from './approvals.js';
import type { FolderBounds } from './folders.js';
import type { PolicySettings } from './settings.js';

/** Whether a rule that pre-approves a tool could reach further than the session may. */
export function isBounded(
  { approvals }: Pick<PolicySettings, 'approvals'>,
  { roots }: Pick<FolderBounds, 'roots'>,
): boolean {
  return approvals === 'human' || roots.length > 0;
}

/** Whether what a caller may have read or edited in advance is limited to the session's folders. */
export function isReadingBounded(
  policy: Pick<PolicySettings, 'approvals' | 'preallow'>,
  bounds: Pick<FolderBounds, 'roots'>,
  standing: CallerStanding,
): boolean {
  if (isBounded(policy, bounds)) return true;
  return policy.preallow === undefined ? mayAskPerson(policy, standing) : !policy.preallow.includes('*');
}
