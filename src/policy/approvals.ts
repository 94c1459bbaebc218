import { AppError } from '../core/errors.js';
import type { InputKind } from '../core/session/events.js';
import type { PolicySettings } from './settings.js';

/** What is known of whoever calls, as far as it decides what they may approve. */
export interface CallerStanding {
  /** The client can put a form before a person. */
  readonly canAskPerson: boolean;
  /** A person behind this client has answered before. */
  readonly hasPerson: boolean;
  /** Who has enabled bypassPermissions for this client, while it lasts. */
  readonly bypass?: BypassConsent | undefined;
}

export type BypassConsent = 'caller' | 'person';

/** Of a session that was checked when it began: resuming it is not asking for anything new. */
export const checkedBefore: CallerStanding = { canAskPerson: false, hasPerson: false };

/** Whether a caller's own yes counts for nothing here. */
export function isPersonNeeded({ approvals }: PolicySettings, { hasPerson }: CallerStanding): boolean {
  return approvals === 'human' || (approvals === 'auto' && hasPerson);
}

/** Refuses a caller's yes. A no is always welcome, and so is the answer to a question, which allows nothing. */
export function refuseApproval(kind: InputKind, policy: PolicySettings, standing: CallerStanding): void {
  if (kind === 'user_question' || !isPersonNeeded(policy, standing)) return;
  throw new AppError('approval_needs_person', {
    approvals: policy.approvals === 'human' ? 'human' : 'auto',
    canAskPerson: standing.canAskPerson,
  });
}
