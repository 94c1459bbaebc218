import { isObject } from '../json.js';

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface ModelUsage {
  readonly model: string;
  readonly costUsd: number;
  readonly tokens: Tokens;
}

export const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** The model name for turns whose usage by model is missing or unreliable. */
const unknownModel = 'unknown';

/** Rounding errors in sums of costs stay below this. */
const dustUsd = 1e-6;

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}

export function allTokens({ input, output, cacheRead, cacheWrite }: Tokens): number {
  return input + output + cacheRead + cacheWrite;
}

/**
 * Usage of one turn by model. Old versions of Claude Code report totals of the whole process here. Those do not add up
 * to the cost of the turn, and then only the cost is used.
 */
export function usageByModel(costUsd: number, modelUsage: unknown): readonly ModelUsage[] {
  const reported = isObject(modelUsage) ? Object.entries(modelUsage).flatMap(modelEntry) : [];
  const sum = reported.reduce((total, usage) => total + usage.costUsd, 0);
  if (Math.abs(sum - costUsd) <= dustUsd) return reported;
  return [{ model: unknownModel, costUsd: count(costUsd), tokens: noTokens }];
}

function modelEntry([model, usage]: readonly [string, unknown]): ModelUsage[] {
  if (!isObject(usage)) return [];
  const tokens: Tokens = {
    input: count(usage['inputTokens']),
    output: count(usage['outputTokens']),
    cacheRead: count(usage['cacheReadInputTokens']),
    cacheWrite: count(usage['cacheCreationInputTokens']),
  };
  return [{ model, costUsd: count(usage['costUSD']), tokens }];
}

/** Untrusted input: a counter that decreases or becomes NaN would never recover. */
function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
