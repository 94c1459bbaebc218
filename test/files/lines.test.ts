import { truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endOfLastLine, readCompleteLines } from '../../src/files/lines.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const mebibyte = 1_048_576;

it('skips a line that would fill the memory, and reads those around it', async () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, 'before\n');
  // A hole, which takes no space on the disk.
  truncateSync(path, 80 * mebibyte);
  writeFileSync(path, '\nafter\n', { flag: 'a' });
  const handle = await open(path);
  const lines: string[] = [];

  for await (const line of readCompleteLines(handle, 0, (await handle.stat()).size)) lines.push(line);

  await handle.close();
  expect(lines).toEqual(['before', 'after']);
});

it('reads long lines of many files in turns, also if a reader stops early', async () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, `${'a'.repeat(3 * mebibyte)}\n${'b'.repeat(3 * mebibyte)}\nafter\n`);
  const readFirst = async (): Promise<string> => {
    const handle = await open(path);
    try {
      for await (const line of readCompleteLines(handle, 0, (await handle.stat()).size))
        return line.slice(0, 3);
      return '';
    } finally {
      await handle.close();
    }
  };

  expect(await Promise.all(Array.from({ length: 9 }, readFirst))).toEqual(Array(9).fill('aaa'));
});

it('takes a last line that is too long for ended, instead of searching all of it', async () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, 'before\n');
  truncateSync(path, 80 * mebibyte);
  const handle = await open(path);

  const end = await endOfLastLine(handle, 80 * mebibyte);

  await handle.close();
  expect(end).toBe(80 * mebibyte);
});
