import type { ProcessInfo } from '../../src/core/processes.js';
import { descendantsOf } from '../../src/platform/processes.js';
import { commandOf } from './live-processes.js';
import { until } from './until.js';

/** The watchdog of a server that has started a session. It has no HOME, so no sandbox lists it. */
export function watchdogOf(serverPid: number): Promise<ProcessInfo> {
  return until('the server has a watchdog', async () =>
    (await descendantsOf(serverPid)).find(({ pid }) => commandOf(pid).includes('watchdog.js')),
  );
}
