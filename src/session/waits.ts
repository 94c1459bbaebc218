import type { Clock } from '../core/clock.js';
import type { Session } from './session.js';

export interface WaitTarget {
  readonly session: Session;
  /** With a cursor only news after it ends the wait; without one the present state can. */
  readonly cursor: number | undefined;
}

export interface WaitOptions {
  readonly mode: 'any' | 'all';
  readonly ms: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called every few seconds while waiting. */
  readonly onTick?: (() => void) | undefined;
}

const tickMs = 5_000;

/** Waits until there is something to tell, for at most `ms`. Resolves with how long it took. */
export async function waitForNews(targets: readonly WaitTarget[], options: WaitOptions): Promise<number> {
  const { mode, ms, signal, clock, onTick } = options;
  const startedAt = clock.now();
  if (ms > 0 && !signal.aborted && !isOver(targets, mode)) {
    await new Promise<void>((resolve) => {
      const tick = (): void => {
        onTick?.();
        stopTick = clock.after(tickMs, tick);
      };
      const finish = (): void => {
        stopTick();
        stopTimer();
        signal.removeEventListener('abort', finish);
        for (const unsubscribe of unsubscribes) unsubscribe();
        resolve();
      };
      let stopTick = onTick === undefined ? (): void => undefined : clock.after(tickMs, tick);
      const stopTimer = clock.after(ms, finish);
      signal.addEventListener('abort', finish, { once: true });
      const unsubscribes = targets.map(({ session }) =>
        session.subscribe(() => {
          if (isOver(targets, mode)) finish();
        }),
      );
    });
  }
  return clock.now() - startedAt;
}

function isOver(targets: readonly WaitTarget[], mode: 'any' | 'all'): boolean {
  if (mode === 'all') return targets.every(({ session }) => session.state.status !== 'running');
  return targets.some(hasNews) || targets.every(({ session }) => session.isAtRest);
}

function hasNews({ session, cursor }: WaitTarget): boolean {
  return cursor === undefined ? session.state.status !== 'running' : session.log.hasNewsAfter(cursor);
}
