/** Runs operations on many sessions at once, for a time, and counts disagreements with the expectation. */
import { setTimeout as pause } from 'node:timers/promises';
import { operations } from './soak-operations.js';
import type { SoakSession, SoakWorld } from './soak-world.js';

export interface SoakPlan {
  readonly durationMs: number;
  readonly maxSessions: number;
  /** Sessions that are worked on at the same time. */
  readonly lanes: number;
  /** Between two operations of a lane. */
  readonly pauseMs: number;
}

/** Sessions that a lane keeps for later. Most of them have lost their process by then. */
const poolSize = 6;

export async function soak(world: SoakWorld, plan: SoakPlan): Promise<readonly string[]> {
  const startedAt = Date.now();
  const disagreements: string[] = [];
  const mayStart = (): boolean => {
    const share = (Date.now() - startedAt) / plan.durationMs;
    return world.sessions < Math.min(plan.maxSessions, plan.lanes + share * plan.maxSessions);
  };

  async function lane(): Promise<void> {
    const pool: SoakSession[] = [];
    while (Date.now() - startedAt < plan.durationMs && disagreements.length < 20) {
      if (mayStart()) {
        await attempt('start', async () => void pool.push(await world.start()));
        // The server has to forget this one by itself.
        if (pool.length > poolSize) pool.shift();
        continue;
      }
      if (pool.length === 0) await pause(plan.pauseMs + 10);
      const session = pool[world.random.below(pool.length)];
      if (session === undefined) continue;
      const operate = world.random.pick(operations);
      const isAgreed = await attempt(operate.name, () => operate(world, session));
      // It must not block a process slot that others need.
      if (!isAgreed) await attempt('drop', () => world.drop(session));
      if (!isAgreed || session.isCancelled) pool.splice(pool.indexOf(session), 1);
      await pause(plan.pauseMs);
    }
  }

  async function attempt(name: string, operate: () => Promise<void>): Promise<boolean> {
    world.operations += 1;
    try {
      await operate();
      return true;
    } catch (error) {
      disagreements.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  await Promise.all(Array.from({ length: plan.lanes }, lane));
  return disagreements;
}
