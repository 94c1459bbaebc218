import { join } from 'node:path';
import type { InputAsk } from '../../core/session/inputs.js';
import { isInside } from '../../core/paths.js';
import { realPathOfNearest } from '../../files/real-path.js';
import { readRegularFileSync } from '../../files/regular-file.js';

const maxPlanBytes = 1_000_000;

/**
 * The input of a plan review with the plan as it is on disk: Claude Code carries out that one, and a subagent can have
 * changed it since it was sent.
 */
export function reviewedPlan({ kind, input }: InputAsk, claudeDir: string): InputAsk['input'] {
  const { planFilePath: path } = input;
  if (kind !== 'plan_review' || typeof path !== 'string') return input;
  const plan = planAt(path, claudeDir);
  return plan === undefined || plan === input['plan'] ? input : { ...input, plan };
}

function planAt(path: string, claudeDir: string): string | undefined {
  const real = realPathOfNearest(path);
  if (!isInside(real, join(realPathOfNearest(claudeDir), 'plans'))) return undefined;
  try {
    return readRegularFileSync(real, maxPlanBytes);
  } catch {
    // Claude Code falls back to the plan that it sent.
    return undefined;
  }
}
