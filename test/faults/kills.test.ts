/**
 * Kills at random moments. FAULT_KILLS: how many. FAULT_SEED: the first seed; every number makes other kills.
 */
import { expect, it } from 'vitest';
import { planKill } from './kill-plan.js';
import { reportFailure, reportKills } from './kill-report.js';
import { playKill, type KillOutcome } from './kill-scene.js';

const count = Number(process.env['FAULT_KILLS'] ?? 5);
const firstSeed = Number(process.env['FAULT_SEED'] ?? 1);
const lanes = 2;
const sceneLimitMs = 60_000;

/** At once, because a run of hundreds takes minutes. */
function report(outcome: KillOutcome): KillOutcome {
  process.stdout.write(reportFailure(outcome));
  return outcome;
}

it.skipIf(process.platform !== 'linux')(
  'everything that was acknowledged survives a kill, exactly once',
  async () => {
    const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);
    const outcomes: KillOutcome[] = [];
    const work = async (): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift())
        outcomes.push(report(await playKill(planKill(seed))));
    };

    await Promise.all(Array.from({ length: lanes }, work));

    process.stdout.write(`FAULT_SEED=${firstSeed} FAULT_KILLS=${count}\n${reportKills(outcomes)}\n`);
    expect(outcomes.flatMap(({ violations }) => violations)).toEqual([]);
  },
  count * sceneLimitMs,
);
