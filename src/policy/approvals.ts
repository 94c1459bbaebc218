import type { Caller } from '../core/caller.js';
import { AppError } from '../core/errors.js';
import type { InputRequest } from '../core/session/inputs.js';
import type { PolicySettings } from './settings.js';

/** Facts about a caller that decide what it may approve. */
export interface CallerStanding {
  /** The client can show a form to a person. False once it has dismissed a form by itself and no person has answered. */
  readonly canAskPerson: boolean;
  /** A person has answered before, in this client or on the page. */
  readonly hasPerson: boolean;
  /** Its credential does not let it answer requests, so it may not approve anything in advance either. */
  readonly lacksApproveScope?: boolean | undefined;
  /** A person acts, on the page. */
  readonly isPerson?: boolean | undefined;
  /** Who enabled bypassPermissions for this client, while it lasts. */
  readonly bypass?: BypassConsent | undefined;
}

export type BypassConsent = 'caller' | 'person';

/** For a session whose options were checked at its start: resuming it requests nothing new. */
export const checkedBefore: CallerStanding = { canAskPerson: false, hasPerson: false };

/** Whether only a person may approve, so that approvals by this caller do not count. */
export function isPersonNeeded(
  { approvals }: Pick<PolicySettings, 'approvals'>,
  { hasPerson, lacksApproveScope = false }: CallerStanding,
): boolean {
  return lacksApproveScope || approvals === 'human' || (approvals === 'auto' && hasPerson);
}

/** Whether a person may be asked, so that a caller may not answer in advance, even if nobody has answered yet. */
export function mayAskPerson(
  { approvals }: Pick<PolicySettings, 'approvals'>,
  { canAskPerson, hasPerson, lacksApproveScope = false }: CallerStanding,
): boolean {
  return lacksApproveScope || approvals === 'human' || (approvals === 'auto' && (canAskPerson || hasPerson));
}

/**
 * Whether the options of a session may allow more than this caller could request now. A person may have chosen them on
 * the page, or a client without a person to ask.
 */
export function mayHaveLess(policy: Pick<PolicySettings, 'approvals'>, standing: CallerStanding): boolean {
  if (standing.isPerson === true) return false;
  return (
    standing.lacksApproveScope === true || (policy.approvals === 'auto' && mayAskPerson(policy, standing))
  );
}

/** Whether a caller may request less than before, because a person has answered or can be asked meanwhile. */
export function hasLost(
  policy: Pick<PolicySettings, 'approvals'>,
  before: CallerStanding,
  now: CallerStanding,
): boolean {
  // Their own prompt is the first sign of a person on the page.
  if (now.isPerson === true) return false;
  return [mayHaveLess, isPersonNeeded].some((isLess) => isLess(policy, now) && !isLess(policy, before));
}

/** Refuses an approval by a caller. Callers may always deny, and may answer questions, which allow nothing. */
export function refuseApproval(
  { kind, answerAt }: Pick<InputRequest, 'kind' | 'answerAt'>,
  policy: PolicySettings,
  standing: CallerStanding,
  form: { readonly isShown: boolean; readonly shownAgainInMs: number },
): void {
  if (kind === 'user_question' || !isPersonNeeded(policy, standing)) return;
  throw new AppError('approval_needs_person', {
    approvals: policy.approvals === 'human' ? 'human' : 'auto',
    canAskPerson: standing.canAskPerson,
    answerAt,
    ...form,
  });
}

/** Refuses an approval by a caller for the rest of a session: where a person may be asked, it would answer in advance. */
export function refuseLasting(policy: PolicySettings, standing: CallerStanding): void {
  if (mayAskPerson(policy, standing)) throw new AppError('grant_needs_person');
}

export function mayAnswer({ mayAnswer: isAllowed = true }: Caller): boolean {
  return isAllowed;
}

/** Refuses every answer of a caller whose credential has no such right, even a denial. */
export function refuseWithoutScope(caller: Caller): void {
  if (!mayAnswer(caller)) throw new AppError('approve_scope_missing');
}
