import { copyFileSync, fstatSync, ftruncateSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.js';

export interface BoundedLogSettings {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly maxBytes?: number;
  /** The descriptor of stderr. */
  readonly stderr?: number;
}

const checkEveryMs = 60_000;

/** The log of a service that `connect` has started. */
export function serviceLogPath(stateDir: string): string {
  return join(stateDir, 'service.log');
}

/**
 * Keeps the log of a service that `connect` has started from growing without limit: what is too long moves to a second file,
 * which it replaces. A log that the operator has redirected elsewhere is left alone.
 */
export function boundLog(settings: BoundedLogSettings): () => void {
  const { stateDir, clock, maxBytes = 5 * 1_048_576, stderr = 2 } = settings;
  const path = serviceLogPath(stateDir);
  let stop = (): void => undefined;
  const check = (): void => {
    try {
      const { dev, ino, size } = fstatSync(stderr, { bigint: true });
      const named = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (named?.dev === dev && named.ino === ino && size > maxBytes) {
        copyFileSync(path, join(stateDir, 'service.older.log'));
        ftruncateSync(stderr);
      }
    } catch {
      // A full disk, for example. The next check tries again.
    }
    stop = clock.after(checkEveryMs, check);
  };
  check();
  return () => stop();
}
