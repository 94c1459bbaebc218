import { readFileSync } from 'node:fs';
import type { ProcessInfo } from '../../src/core/processes.js';
import { descendantsOf } from '../../src/platform/processes.js';
import { until } from './until.js';

/** The watchdog of a server that has started a session. It has no HOME, so no sandbox lists it. */
export function watchdogOf(serverPid: number): Promise<ProcessInfo> {
  return until('the server has a watchdog', async () =>
    (await descendantsOf(serverPid)).find(({ pid }) => commandOf(pid).includes('watchdog.js')),
  );
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
