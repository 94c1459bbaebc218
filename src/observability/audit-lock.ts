import { readFileSync, rmSync } from 'node:fs';
import { createOnce } from './create-once.js';

/** A process, so that another one with the same number is not taken for it. */
export interface LockOwner {
  readonly host: string;
  readonly pid: number;
  readonly startTime: string;
}

/** Undefined when there is no such process on this machine. */
export type StartTimeOf = (pid: number) => Promise<string | undefined>;

/** Whether the lock is ours now. One whose owner is gone is taken over. */
export async function takeLock(path: string, owner: LockOwner, startTimeOf: StartTimeOf): Promise<boolean> {
  const text = JSON.stringify(owner);
  if (createOnce(path, text)) return true;
  if (!(await isAbandoned(path, owner.host, startTimeOf))) return false;
  // Two may find it abandoned at the same time: only one may take it away, or it would take away the other's.
  const takeover = `${path}.takeover`;
  if (!createOnce(takeover, text)) return false;
  try {
    if (!(await isAbandoned(path, owner.host, startTimeOf))) return false;
    rmSync(path, { force: true });
    return createOnce(path, text);
  } finally {
    rmSync(takeover, { force: true });
  }
}

export function releaseLock(path: string): void {
  rmSync(path, { force: true });
}

/** What cannot be read, or belongs to another machine, is left alone. */
async function isAbandoned(path: string, host: string, startTimeOf: StartTimeOf): Promise<boolean> {
  const owner = readOwner(path);
  return owner?.host === host && (await startTimeOf(owner.pid)) !== owner.startTime;
}

function readOwner(path: string): LockOwner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockOwner;
  } catch {
    return undefined;
  }
}
