import { readdirSync, readFileSync } from 'node:fs';

export type LiveProcess = { readonly pid: number; readonly command: string };

/**
 * All live processes with `name=value` in their environment, except this one. Also finds orphans, which a walk down the
 * process tree would miss. Ignores zombies, which have no environment.
 */
export function processesWithVariable(name: string, value: string): readonly LiveProcess[] {
  const pids = listFolder('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => pid !== process.pid);
  return pids
    .filter((pid) => readFields(pid, 'environ').includes(`${name}=${value}`))
    .map((pid) => ({ pid, command: readFields(pid, 'cmdline').join(' ').trim() }));
}

function readFields(pid: number, file: 'environ' | 'cmdline'): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
  } catch {
    // The process has exited, or belongs to another user.
    return [];
  }
}

function listFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
