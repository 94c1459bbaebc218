import { mayAskPerson } from '../policy/approvals.js';
import { isReadingBounded } from '../policy/reading-bounds.js';
import type { SessionServices } from '../session/services/services.js';
import type { Approvals } from './approvals.js';
import type { ManagerServices } from './session-manager.js';

/** What each session needs: the services of the collection, and how its requests are approved. */
export function sessionServices(services: ManagerServices, approvals: Approvals): SessionServices {
  const { policy, folders, ledger, ...shared } = services;
  return {
    ...shared,
    broker: approvals.broker,
    dayBudget: ledger,
    approvalRules: {
      preallow: policy.preallow,
      isHumanOnly: policy.approvals === 'human',
      mayReadOthers: policy.history === 'read',
      isPersonAsked: (id) => mayAskPerson(policy, approvals.standingIn(id)),
      isReadingBounded: (id) => isReadingBounded(policy, folders.bounds, approvals.standingIn(id)),
      operatorRules: [...(policy.preallow ?? []), ...(policy.defaultAllowedTools ?? [])],
    },
  };
}
