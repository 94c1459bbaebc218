import { watch, type FSWatcher } from 'node:fs';
import type { Clock } from '../core/clock.js';

/** Used where the system cannot report changes. */
const pollMs = 1_500;

/** Calls back soon after a change in a folder, and sometimes without one. Returns how to stop. */
export function watchFolder(folder: string, clock: Clock, onChange: () => void): () => void {
  const watcher = tryToWatch(folder, onChange);
  let stopTimer = (): void => undefined;
  const poll = (): void => {
    stopTimer = clock.after(pollMs, () => {
      poll();
      onChange();
    });
  };
  poll();
  return () => {
    stopTimer();
    watcher?.close();
  };
}

/** The number of watchers is limited, and some file systems report nothing. */
function tryToWatch(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, () => onChange());
    return watcher.on('error', () => watcher.close());
  } catch {
    return undefined;
  }
}
