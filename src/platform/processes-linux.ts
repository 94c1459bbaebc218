import { readFileSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setImmediate as otherWork, setTimeout as pause } from 'node:timers/promises';
import type { ProcessInfo } from '../core/processes.js';
import type { SystemProcesses } from './system-processes.js';

/** The system answers these reads at once, so the thread pool would only cost time. About a millisecond of them. */
const statsAtOnce = 64;

const shortages: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);
const shortageRounds = 50;
const shortageMs = 20;

const STATE = 0;
const PPID = 1;
const PGID = 2;
const START_TIME = 19;

export const linuxProcesses: Omit<SystemProcesses, 'findByEnvironment'> = {
  async list() {
    const pids = await listPids();
    const found: ProcessInfo[] = [];
    for (let done = 0; done < pids.length; done += statsAtOnce) {
      if (done > 0) await otherWork();
      found.push(...(await lookup(pids.slice(done, done + statsAtOnce))));
    }
    return found;
  },
  lookup,
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
      return await read();
    } catch (error) {
      if (!isShortage(error) || left === 0) throw error;
      await pause(shortageMs);
    }
  }
}

/** Reads without a pause, so that the answer is as new as can be: signals follow from it. */
export function lookup(pids: readonly number[]): Promise<readonly ProcessInfo[]> {
  return patiently(async () => pids.flatMap((pid) => ifAlive(() => readStat(pid)) ?? []));
}

function readStat(pid: number): ProcessInfo | undefined {
  return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

export async function listPids(): Promise<readonly number[]> {
  const names = await patiently(() => readdir('/proc'));
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Undefined if the process has exited meanwhile, or we may not read it. */
export function ifAlive<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isShortage(error)) throw error;
    return undefined;
  }
}

export function isShortage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && shortages.has(error.code);
}
