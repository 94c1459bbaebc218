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
  const why =
    policy.approvals === 'human'
      ? 'only a person may approve on this server (CLAUDE_CODE_MCP_APPROVALS=human)'
      : 'a person answers for this client, so only that person may approve (CLAUDE_CODE_MCP_APPROVALS=auto)';
  throw new AppError('PERMISSION_DENIED', why, {
    hint: standing.canAskPerson
      ? 'Leave it to the person, who sees a form while claude_code_check waits, or deny it; the request is still open.'
      : 'Deny it, or connect with a client that can show forms (elicitation); the request is still open.',
  });
}
