import { AppError } from '../core/errors.js';
import { isPersonNeeded, type CallerStanding } from './approvals.js';
import { mayChoose } from './pre-approval.js';
import type { PolicySettings } from './settings.js';

/**
 * Whether a session may run everything without asking. The operator consents by trusting callers fully, or by serving
 * the tool that enables it. Where only people may approve, a person must have enabled it.
 */
export function mayBypass(policy: PolicySettings, standing: CallerStanding): boolean {
  // The consent covers all clients of a principal, but only credentials that could have given it may use it.
  if (standing.lacksApproveScope === true) return false;
  if (standing.bypass === 'person') return true;
  const isOffered = policy.callerTrust === 'full' || standing.bypass === 'caller';
  return isOffered && !isPersonNeeded(policy, standing);
}

/** What a caller who wants fewer questions may choose in its place. */
const instead = ['default', 'acceptEdits'] as const;

export function refuseBypass(policy: PolicySettings, standing: CallerStanding): void {
  if (mayBypass(policy, standing)) return;
  throw new AppError('bypass_refused', {
    modes: instead.filter((mode) => mayChoose(mode, policy, standing)),
    isPersonNeeded: isPersonNeeded(policy, standing),
  });
}
