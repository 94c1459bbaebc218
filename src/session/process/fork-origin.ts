import type { GrantRecord } from '../../inputs/grants.js';
import type { SharedBudget } from '../../state/shared-budget.js';
import type { SecretOption } from '../../state/record-options.js';

/** What a fork takes along from its parent. */
export interface ForkOrigin {
  readonly claudeSessionId: string;
  readonly grants: GrantRecord;
  readonly budget: SharedBudget;
  /** Options that the parent had and could not keep, and that were not given again. */
  readonly withheld: readonly SecretOption[];
  /** Where in the parent's conversation it branches off; undefined = at its end. */
  readonly at: string | undefined;
  /** Whether what it takes along was begun by somebody else. */
  readonly isForeign: boolean;
}
