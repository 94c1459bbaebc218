import { closeSync, openSync, read, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fewAtOnce } from '../core/few-at-once.js';
import { ifAlive, isShortage, listPids, lookup, patiently } from './processes-linux.js';
import type { MarkedProcess } from './system-processes.js';

/** Few, because the usual limit is 1,024 descriptors. More would not be faster either. */
const atOnce = 16;
const bufferBytes = 16_384;

/** On a busy system, new processes never cease to appear. */
const maxRounds = 5;
const roundMs = 10;

/** The parent of all threads of the kernel, which have no environment. */
const kernelPid = 2;

export async function findByEnvironment(markers: ReadonlySet<string>): Promise<readonly MarkedProcess[]> {
  const find = markFinder(markers);
  const found = await search({
    list: listPids,
    look: (pid) => patiently(() => lookAt(pid, find)),
    pause: () => pause(roundMs),
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
    await fewAtOnce(open, atOnce, async (pid) => {
      const seen = await look(pid);
      if (seen === 'unmarked') unmarked.add(pid);
      else if (seen === 'unclear') isClear = false;
      else found.set(pid, seen);
    });
    if (open.length === 0 || round === maxRounds) return found;
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
  const buffer = spareBuffers.pop() ?? Buffer.allocUnsafe(bufferBytes);
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
