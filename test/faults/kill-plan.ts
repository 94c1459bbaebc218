/** One kill, decided by its seed alone. */
import type { Era } from '../kit/server-client.js';
import { phases, type Phase } from './kill-phases.js';
import { createRandom } from './random.js';

export const backends = ['agent-sdk', 'cli'] as const;

/** `watchdog`: it dies, the server replaces it, and then the server dies. `both`: they die at the same moment. */
export type Victim = 'server' | 'claude' | 'watchdog' | 'both';

export interface KillPlan {
  readonly seed: number;
  readonly backend: (typeof backends)[number];
  readonly phase: Phase;
  readonly victim: Victim;
  readonly delayMs: number;
  /** Whether the next server starts while what the first one left may still be dying. */
  readonly restartsAtOnce: boolean;
  /** Whether the caller runs a cut turn again, or sends another prompt. */
  readonly runsAgain: boolean;
  readonly era: Era;
}

/** Consecutive seeds go through all phases and alternate between the backends; the next round has them reversed. */
export function planKill(seed: number): KillPlan {
  const random = createRandom(seed);
  const index = seed % phases.length;
  const round = Math.floor(seed / phases.length);
  const phase = phases[index];
  const backend = backends[(index + round) % backends.length];
  if (phase === undefined || backend === undefined) throw new Error(`A seed is a whole number, not ${seed}`);
  const victim = random.pick<Victim>(['server', 'server', 'server', 'claude', 'watchdog', 'both']);
  return {
    seed,
    backend,
    phase,
    victim,
    delayMs: random.below(phase.maxDelayMs + 1),
    // Without server and watchdog, only the next server can end what is left.
    restartsAtOnce: victim === 'both' || random.below(2) === 0,
    runsAgain: random.below(2) === 0,
    era: random.pick<Era>(['modern', 'legacy']),
  };
}

export function describePlan(plan: KillPlan): string {
  const { seed, backend, phase, victim, delayMs, restartsAtOnce, runsAgain } = plan;
  const then = `${restartsAtOnce ? 'restart at once' : 'restart later'}, ${runsAgain ? 'run again' : 'reply'}`;
  return `seed ${seed}: ${backend}, ${phase.name}, kill ${victim} after ${delayMs} ms, ${then}`;
}
