import { readdirSync, readFileSync } from 'node:fs';

export type LiveProcess = { readonly pid: number; readonly command: string };

/**
 * All live processes, this one excepted, whose environment holds `name=value`. Finds orphans too, which a walk
 * down the process tree would miss. Zombies have no environment left and do not count.
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
    // It has ended meanwhile, or belongs to someone else.
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
