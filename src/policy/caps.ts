import { AppError } from '../core/errors.js';
import type { RequestedOptions } from '../core/options/index.js';
import type { ParamsOf } from '../core/reasons/index.js';
import type { PolicySettings } from './settings.js';

/** Limits that a caller can set on a start or a reply, up to the operator's. */
interface AskedLimits {
  readonly maxTurns?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
}

/** Returns the caller's limit, or the operator's if it sets none. A higher limit is refused, not reduced. */
export function maxTurnsOf({ maxTurns }: AskedLimits, policy: PolicySettings): number | undefined {
  return withinCap('maxTurns', maxTurns, policy.maxTurns, 'CLAUDE_CODE_MCP_MAX_TURNS');
}

export function maxBudgetOf({ maxBudgetUsd }: AskedLimits, policy: PolicySettings): number | undefined {
  return withinCap('maxBudgetUsd', maxBudgetUsd, policy.maxBudgetUsd, 'CLAUDE_CODE_MCP_MAX_BUDGET_USD');
}

/** The limit of an agent may be as high as that of the whole prompt. */
export function refuseAgentsOverCap(agents: RequestedOptions['agents'], policy: PolicySettings): void {
  for (const [name, { maxTurns }] of Object.entries(agents ?? {}))
    withinCap(`agents.${name}.maxTurns`, maxTurns, policy.maxTurns, 'CLAUDE_CODE_MCP_MAX_TURNS');
}

function withinCap(
  option: string,
  asked: number | undefined,
  cap: number | undefined,
  setting: ParamsOf<'over_cap'>['setting'],
): number | undefined {
  if (asked === undefined || cap === undefined || asked <= cap) return asked ?? cap;
  throw new AppError('over_cap', { option, asked, cap, setting });
}
