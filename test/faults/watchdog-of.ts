import { readFileSync } from 'node:fs';
import type { LiveProcess } from '../kit/live-processes.js';

/** The watchdog of this server now. It has no HOME, so no sandbox lists it. */
export function watchdogOf(serverPid: number): LiveProcess | undefined {
  return read(`/proc/${serverPid}/task/${serverPid}/children`)
    .split(' ')
    .filter((pid) => pid !== '')
    .map((pid) => ({ pid: Number(pid), command: commandOf(Number(pid)) }))
    .find(({ command }) => command.includes('watchdog.js'));
}

export function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has exited.
    return '';
  }
}
