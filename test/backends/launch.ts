import type { Launch } from '../../src/core/claude/backend.js';
import type { EffectiveOptions } from '../../src/core/options/index.js';
import { plainOptions } from '../kit/records.js';

/** The start of a new conversation, with these changes. */
export function launchWith(
  options: Partial<EffectiveOptions> = {},
  launch: Partial<Omit<Launch, 'options'>> = {},
): Launch {
  return {
    claudeSessionId: 'id-1',
    from: { type: 'start' },
    grantedRules: [],
    asksFirst: false,
    budgetLeftUsd: undefined,
    options: { ...plainOptions, ...options },
    ...launch,
  };
}
