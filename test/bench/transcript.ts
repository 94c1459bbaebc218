/** The newest messages of a long conversation must not cost more than those of a short one. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineRow } from './row.js';
import { describeTimes, interleave, minimum, timed } from './timing.js';
import { readAllPages, readNewest, writeTranscript } from './transcript-cases.js';

const MESSAGES = 40_000;
const FEW_MESSAGES = 4_000;
const ROUNDS = 15;
const PAGING_ROUNDS = 3;

export const transcript = defineRow({
  name: 'transcript',
  budget: {
    newest: { what: 'newest 10 of 40,000 messages, compared with 10 of 4,000', max: 1.5, unit: 'x' },
    share: { what: 'newest 10 of 40,000 messages, compared with reading the file once', max: 0.1, unit: 'x' },
    paging: { what: 'all pages of 40,000 messages, bytes read per byte of the file', max: 4, unit: 'x' },
  },
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'ccm-transcript-'));
    try {
      const [long, short] = [writeTranscript(folder, MESSAGES), writeTranscript(folder, FEW_MESSAGES)];
      const cases = {
        long: () => timed(() => readNewest(long)),
        short: () => timed(() => readNewest(short)),
        once: () => timed(() => readOnce(long)),
      };
      await interleave(3, cases);
      const times = await interleave(ROUNDS, cases);
      const bytes = await countBytes(() => readAllPages(long, MESSAGES));
      const paging = await interleave(PAGING_ROUNDS, {
        all: () => timed(() => readAllPages(long, MESSAGES)),
      });
      const { size } = statSync(long);
      return {
        values: {
          newest: minimum(times.long) / minimum(times.short),
          share: minimum(times.long) / minimum(times.once),
          paging: bytes / size,
        },
        detail:
          `${(size / 1_000_000).toFixed(0)} MB; newest page ${describeTimes(times.long)}, of a short one ` +
          `${describeTimes(times.short)}; the file once ${describeTimes(times.once)}; all pages ${describeTimes(paging.all)}`,
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
});

async function readOnce(path: string): Promise<void> {
  const handle = await open(path);
  const buffer = Buffer.alloc(1024 * 1024);
  while ((await handle.read(buffer, 0, buffer.length)).bytesRead > 0);
  await handle.close();
}

/** The bytes that files are asked for during `action`. */
async function countBytes(action: () => Promise<unknown>): Promise<number> {
  const handle = await open(import.meta.filename ?? new URL(import.meta.url).pathname);
  const prototype = Object.getPrototypeOf(handle) as {
    read: (...args: unknown[]) => Promise<{ bytesRead: number }>;
  };
  await handle.close();
  const { read } = prototype;
  let bytes = 0;
  prototype.read = async function counting(this: unknown, ...args) {
    const answer = await read.apply(this, args);
    bytes += answer.bytesRead;
    return answer;
  };
  try {
    await action();
  } finally {
    prototype.read = read;
  }
  return bytes;
}
