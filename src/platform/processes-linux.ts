import { closeSync, openSync, read, readFileSync, statSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setImmediate as otherWork, setTimeout as pause } from 'node:timers/promises';
import { fewAtOnce } from '../core/few-at-once.js';
import type { ProcessInfo } from '../core/processes.js';
import type { MarkedProcess, SystemProcesses } from './system-processes.js';

/** The system answers these reads at once, so the thread pool would only cost time. About a millisecond of them. */
const statsAtOnce = 64;

/** Few, because the usual limit is 1,024 descriptors. More would not be faster either. */
const environmentsAtOnce = 16;
const environmentBytes = 16_384;

/** On a busy system, new processes never cease to appear. */
const searchRounds = 5;
const searchMs = 10;

/** The parent of all threads of the kernel, which have no environment. */
const kernelPid = 2;

const shortages: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);
const shortageRounds = 50;
const shortageMs = 20;

const STATE = 0;
const PPID = 1;
const PGID = 2;
const START_TIME = 19;

export const linuxProcesses: SystemProcesses = {
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
      return await read();
    } catch (error) {
      if (!isShortage(error) || left === 0) throw error;
      await pause(shortageMs);
    }
  }
}

/** Reads without a pause, so that the answer is as new as can be: signals follow from it. */
function lookup(pids: readonly number[]): Promise<readonly ProcessInfo[]> {
  return patiently(async () => pids.flatMap((pid) => ifAlive(() => readStat(pid)) ?? []));
}

function readStat(pid: number): ProcessInfo | undefined {
  return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

async function listPids(): Promise<readonly number[]> {
  const names = await patiently(() => readdir('/proc'));
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Undefined if the process has exited meanwhile, or we may not read it. */
function ifAlive<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isShortage(error)) throw error;
    return undefined;
  }
}

function isShortage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && shortages.has(error.code);
}

async function findByEnvironment(markers: ReadonlySet<string>): Promise<readonly MarkedProcess[]> {
  const find = markFinder(markers);
  const found = await search({
    list: listPids,
    look: (pid) => patiently(() => lookAt(pid, find)),
    pause: () => pause(searchMs),
  });
  const alive = await lookup([...found.keys()]);
  return alive.map((info) => ({ ...info, ...(found.get(info.pid) ?? { marker: '' }) }));
}

export interface Search<T> {
  readonly list: () => Promise<readonly number[]>;
  readonly look: (pid: number) => Promise<T | 'unmarked' | 'unclear'>;
  readonly pause: () => Promise<unknown>;
}

/**
 * Looks at every process, and then at those that have begun meanwhile, until there are none: a process that starts
 * itself again and exits would be missed by a single look.
 */
export async function search<T>({ list, look, pause: rest }: Search<T>): Promise<ReadonlyMap<number, T>> {
  const found = new Map<number, T>();
  const unmarked = new Set<number>();
  for (let round = 1; ; round += 1) {
    const open = (await list()).filter((pid) => !unmarked.has(pid) && !found.has(pid));
    let isClear = true;
    await fewAtOnce(open, environmentsAtOnce, async (pid) => {
      const seen = await look(pid);
      if (seen === 'unmarked') unmarked.add(pid);
      else if (seen === 'unclear') isClear = false;
      else found.set(pid, seen);
    });
    if (open.length === 0 || round === searchRounds) return found;
    if (!isClear) await rest();
  }
}

type Mark = Pick<MarkedProcess, 'marker' | 'uid'>;

async function lookAt(
  pid: number,
  find: (environment: Buffer) => string | undefined,
): Promise<Mark | 'unmarked' | 'unclear'> {
  const uid = ifAlive(() => statSync(`/proc/${pid}`).uid);
  if (uid === undefined || !isReadable(uid)) return 'unmarked';
  const file = ifAlive(() => openSync(`/proc/${pid}/environ`, 'r'));
  if (file === undefined) return 'unmarked';
  return withContent(file, async (environment) => {
    const marker = find(environment);
    if (marker !== undefined) return { marker, uid };
    // Between two programs, a process has no environment for a moment.
    return environment.length === 0 && (await isProgram(pid)) ? 'unclear' : 'unmarked';
  });
}

/** Only root can read other environments, and may look for processes that it runs as another user. */
function isReadable(uid: number): boolean {
  const own = process.getuid?.();
  return own === 0 || own === uid;
}

async function isProgram(pid: number): Promise<boolean> {
  const [info] = await lookup([pid]);
  return info !== undefined && pid !== kernelPid && info.ppid !== kernelPid;
}

/** Finds whole entries. Most environments do not even have a variable of that name. */
export function markFinder(markers: ReadonlySet<string>): (environment: Buffer) => string | undefined {
  const names = new Set([...markers].map((marker) => marker.slice(0, marker.indexOf('=') + 1)));
  const starts = [...names].map((name) => Buffer.from(name));
  return (environment) => {
    if (!starts.some((start) => environment.includes(start))) return undefined;
    return environment
      .toString()
      .split('\0')
      .find((entry) => markers.has(entry));
  };
}

const spareBuffers: Buffer[] = [];

/**
 * Opening does not block. Reading may, while the process changes its memory, so it happens in the thread pool. Not with
 * `readFile`, which takes three times as long. Closes the file.
 */
async function withContent<T>(file: number, use: (content: Buffer) => Promise<T>): Promise<T> {
  const buffer = spareBuffers.pop() ?? Buffer.allocUnsafe(environmentBytes);
  try {
    const parts: Buffer[] = [];
    for (;;) {
      const length = await readInto(file, buffer);
      const part = buffer.subarray(0, length);
      if (length < buffer.length)
        return await use(parts.length === 0 ? part : Buffer.concat([...parts, part]));
      parts.push(Buffer.from(part));
    }
  } finally {
    spareBuffers.push(buffer);
    closeSync(file);
  }
}

function readInto(file: number, buffer: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    read(file, buffer, 0, buffer.length, null, (error, length) => {
      if (error !== null && isShortage(error)) reject(error);
      // It has exited meanwhile.
      else resolve(error === null ? length : 0);
    });
  });
}
