import { readFile } from 'node:fs/promises';
import { listProcesses } from './processes.js';

/**
 * Whether a process above this one was started with this variable, even if it was removed on the way. False where the
 * environment of other processes cannot be read, as on macOS and Windows.
 */
export async function isBelowProcessWith(variable: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const parents = new Map((await listProcesses()).map(({ pid, ppid }) => [pid, ppid]));
  for (let pid = process.ppid; pid > 1; pid = parents.get(pid) ?? 0) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.split('\0').some((entry) => entry.startsWith(`${variable}=`))) return true;
  }
  return false;
}
