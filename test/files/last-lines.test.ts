import { truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { array, assert, asyncProperty, boolean, constantFrom, double, nat, oneof, record } from 'fast-check';
import { expect, it } from 'vitest';
import { readLastLines } from '../../src/files/last-lines.js';
import type { LineBytes } from '../../src/files/line-limits.js';
import { readLineBytes } from '../../src/files/lines.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const kibibyte = 1_024;
const mebibyte = 1_024 * kibibyte;

/** Lengths around the ends of chunks, which are 16 KiB, 32 KiB and so on. */
const lengths = oneof(
  { weight: 5, arbitrary: nat(100) },
  { weight: 2, arbitrary: nat(200 * kibibyte) },
  {
    weight: 1,
    arbitrary: constantFrom(0, 1, 16 * kibibyte - 1, 16 * kibibyte, 48 * kibibyte - 1, 3 * mebibyte),
  },
);

async function collected(lines: AsyncIterable<LineBytes>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const { start, bytes } of lines) all.push(`${start} ${bytes.toString('latin1')}`);
  return all;
}

it('reads exactly the lines that reading from the front finds, the last one first', async () => {
  const path = join(temporaryFolder(), 'file');
  const files = record({
    lines: array(lengths, { maxLength: 12 }),
    isEnded: boolean(),
    part: double({ min: 0, max: 1, noNaN: true }),
  });

  await assert(
    asyncProperty(files, async ({ lines, isEnded, part }) => {
      const text =
        lines.map((length, index) => `${index}${'x'.repeat(length)}`).join('\n') + (isEnded ? '\n' : '');
      writeFileSync(path, text);
      const handle = await open(path);
      const end = Math.round(part * text.length);

      const backwards = await collected(readLastLines(handle, end));
      const forwards = await collected(readLineBytes(handle, 0, end));

      await handle.close();
      expect(backwards).toEqual(forwards.toReversed());
    }),
    { numRuns: 60 },
  );
});

it('skips a line that would fill the memory, and reads those around it', async () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, 'before\n');
  // A hole, which takes no space on the disk.
  truncateSync(path, 80 * mebibyte);
  writeFileSync(path, '\nafter\n', { flag: 'a' });
  const handle = await open(path);

  const lines = await collected(readLastLines(handle, (await handle.stat()).size));

  await handle.close();
  expect(lines).toEqual([`${80 * mebibyte + 1} after`, '0 before']);
});
