import type { EffectiveOptions, OptionName } from '../../core/options/index.js';
import type { GrantRecord } from '../../inputs/grants.js';
import type { SharedBudget } from '../../state/money/shared-budget.js';
import type { Conversation } from './conversation.js';

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

/** The options of a fork, and those of its parent that it cannot have. */
export interface ResumedOptions {
  readonly options: EffectiveOptions;
  readonly narrowed: readonly OptionName[];
}

interface Parent extends Pick<ForkOrigin, 'budget'> {
  readonly conversation: Pick<Conversation, 'claudeSessionId'>;
  readonly view: Pick<ForkOrigin, 'grants' | 'notRestored' | 'isForeign'>;
}

export function forkOriginOf(
  { conversation, budget, view }: Parent,
  at: string | undefined,
  { options, narrowed }: ResumedOptions,
): ForkOrigin {
  return {
    claudeSessionId: conversation.claudeSessionId,
    grants: view.grants,
    budget,
    at,
    notRestored: [...new Set([...view.notRestored.filter((key) => options[key] === undefined), ...narrowed])],
    isForeign: view.isForeign,
  };
}
