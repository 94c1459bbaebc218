import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const busy: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Together more than half a second. Readers close a file within milliseconds, and virus scanners soon after. */
const pausesMs: readonly number[] = [5, 10, 20, 40, 80, 160, 320];

/** Renames a file, over another one if there is one. */
export function moveFile(from: string, to: string): Promise<void> {
  return whileBusy(() => rename(from, to));
}

/** The same for callers that must not yield. */
export function moveFileSync(from: string, to: string): void {
  whileBusySync(() => renameSync(from, to));
}

/** Windows refuses to replace a file while any program has it open, so the change is tried again there. */
export async function whileBusy(
  change: () => Promise<void>,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  for (const ms of pausesMs) {
    try {
      return await change();
    } catch (error) {
      if (!isBusy(error, platform)) throw error;
      await pause(ms);
    }
  }
  return change();
}

export function whileBusySync(change: () => void, platform: NodeJS.Platform = process.platform): void {
  for (const ms of pausesMs) {
    try {
      return change();
    } catch (error) {
      if (!isBusy(error, platform)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    }
  }
  change();
}

function isBusy(error: unknown, platform: NodeJS.Platform): boolean {
  return platform === 'win32' && error instanceof Error && 'code' in error && busy.has(String(error.code));
}
