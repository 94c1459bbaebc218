import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessInfo } from '../core/processes.js';
import { limitTo } from '../core/shared-work.js';
import type { MarkedProcess, SystemProcesses } from './system-processes.js';

// Shared by everything that reads /proc: the usual limit is 1,024 descriptors. More would not be faster either.
const inTurn = limitTo(16);

const shortages: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);
const shortageRounds = 50;
const shortageMs = 20;

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

/** Pids and start times mean something only to processes with the same answer: one boot, one container. */
export async function processSpace(): Promise<string> {
  const parts = [readFile('/proc/sys/kernel/random/boot_id', 'utf8'), readlink('/proc/self/ns/pid')];
  const texts = await Promise.all(parts.map((part) => part.catch(() => 'unknown')));
  return texts.map((text) => text.trim()).join(' ');
}

/** Tries again when descriptors run out, and then rejects: skipping a process would leave it alive. */
export async function patiently<T>(read: () => Promise<T>, rounds = shortageRounds): Promise<T> {
  for (let left = rounds; ; left -= 1) {
    try {
      return await inTurn(read);
    } catch (error) {
      if (!isShortage(error) || left === 0) throw error;
      await pause(shortageMs);
    }
  }
}

async function lookup(pids: readonly number[]): Promise<readonly ProcessInfo[]> {
  return collect(pids, async (pid) => parseStat(await readFile(`/proc/${pid}/stat`, 'utf8')));
}

async function findByEnvironment(markers: ReadonlySet<string>): Promise<readonly MarkedProcess[]> {
  const own = process.getuid?.();
  const marked = await collect(await listPids(), async (pid) => {
    const folder = `/proc/${pid}`;
    const { uid } = await stat(folder);
    // Only root can read other environments, and may look for processes that it runs as another user.
    if (own !== 0 && uid !== own) return undefined;
    const entries = (await readFile(`${folder}/environ`, 'utf8')).split('\0');
    const marker = entries.find((entry) => markers.has(entry));
    return marker === undefined ? undefined : ([pid, { marker, uid }] as const);
  });
  const marksOf = new Map(marked);
  const alive = await lookup([...marksOf.keys()]);
  return alive.map((info) => ({ ...info, ...(marksOf.get(info.pid) ?? { marker: '' }) }));
}

async function listPids(): Promise<readonly number[]> {
  const names = await patiently(() => readdir('/proc'));
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function collect<T>(
  pids: readonly number[],
  read: (pid: number) => Promise<T | undefined>,
): Promise<T[]> {
  const found = await Promise.all(
    pids.map((pid) =>
      patiently(() => read(pid)).catch((error: unknown) => {
        if (isShortage(error)) throw error;
        // It has exited meanwhile, or we may not read it.
        return undefined;
      }),
    ),
  );
  return found.filter((value) => value !== undefined);
}

function isShortage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && shortages.has(error.code);
}
