import type { OptionName } from '../../core/options/index.js';
import type { GrantRecord } from '../../inputs/grants.js';
import type { SharedBudget } from '../../state/money/shared-budget.js';

/** What a fork inherits from its parent. */
export interface ForkOrigin {
  readonly claudeSessionId: string;
  readonly grants: GrantRecord;
  readonly budget: SharedBudget;
  /** Options that the parent had, that the fork does not have, and that the caller did not pass again. */
  readonly notRestored: readonly OptionName[];
  /** The message of the parent at which it branches off; undefined means the last one. */
  readonly at: string | undefined;
  /** Whether someone else started the parent's conversation. */
  readonly isForeign: boolean;
}
