import { readdir, readFile, stat } from 'node:fs/promises';
import { fewAtOnce } from '../core/few-at-once.js';
import type { ProcessInfo } from '../core/processes.js';
import type { SystemProcesses } from './system-processes.js';

// The usual limit is 1,024 descriptors.
const READS_AT_ONCE = 64;

const STATE = 0;
const PPID = 1;
const PGID = 2;
const START_TIME = 19;

export const linuxProcesses: SystemProcesses = {
  list: async () => lookup(await listPids()),
  lookup,
  findByEnvironment,
};

/** Parses `/proc/<pid>/stat`; undefined for a zombie. */
export function parseStat(text: string): ProcessInfo | undefined {
  // Counts fields from the last bracket, because the command name may contain spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const state = fields[STATE];
  const startTime = fields[START_TIME];
  const pid = Number.parseInt(text, 10);
  if (startTime === undefined || Number.isNaN(pid) || state === 'Z' || state === 'X') return undefined;
  return { pid, ppid: Number(fields[PPID]), pgid: Number(fields[PGID]), startTime };
}

async function lookup(pids: readonly number[]): Promise<readonly ProcessInfo[]> {
  return collect(pids, async (pid) => parseStat(await readFile(`/proc/${pid}/stat`, 'utf8')));
}

async function findByEnvironment(marker: string): Promise<readonly ProcessInfo[]> {
  const uid = process.getuid?.();
  const marked = await collect(await listPids(), async (pid) => {
    const folder = `/proc/${pid}`;
    // Root can read all environments, but must not kill processes of other users.
    if ((await stat(folder)).uid !== uid) return undefined;
    const entries = (await readFile(`${folder}/environ`, 'utf8')).split('\0');
    return entries.includes(marker) ? pid : undefined;
  });
  return lookup(marked);
}

async function listPids(): Promise<readonly number[]> {
  const names = await readdir('/proc');
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function collect<T>(
  pids: readonly number[],
  read: (pid: number) => Promise<T | undefined>,
): Promise<T[]> {
  // Skips processes that exit meanwhile, or that we may not read.
  const found = await fewAtOnce(pids, READS_AT_ONCE, (pid) => read(pid).catch(() => undefined));
  return found.filter((value) => value !== undefined);
}
