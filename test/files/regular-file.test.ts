import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRegularFile, readOpened, readRegularFileSync } from '../../src/files/regular-file.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const limit = 200_000;

const bothWays = [
  ['at once', (path: string) => readOpened(openRegularFile(path), limit)],
  ['without yielding', async (path: string) => readRegularFileSync(path, limit)],
] as const;

describe.each(bothWays)('a file that is read %s', (_how, read) => {
  it.each([0, 1, 65_536, 65_537, limit])('is complete with %i bytes', async (bytes) => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, 'x'.repeat(bytes));

    expect(await read(path)).toBe('x'.repeat(bytes));
  });

  it('is refused above the limit', async () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, 'x'.repeat(limit + 1));

    expect(await read(path).catch(() => undefined)).toBeUndefined();
  });

  // Its size is 0, and its content hundreds of gigabytes.
  it.skipIf(process.platform !== 'linux')('is refused if it never ends', async () => {
    expect(await read('/proc/self/pagemap').catch(() => undefined)).toBeUndefined();
  });
});
