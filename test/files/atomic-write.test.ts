import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFile } from '../../src/files/atomic-write.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

it('creates and replaces a file, and leaves no temporary file', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'record.json');

  await replaceFile(path, 'old');
  await replaceFile(path, 'new');

  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['record.json']);
});

it.skipIf(process.platform === 'win32')('creates a file that only its owner can read', async () => {
  const path = join(temporaryFolder(), 'record.json');
  writeFileSync(path, 'old');
  chmodSync(path, 0o666);

  await replaceFile(path, 'new');

  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('replaces a link instead of writing through it', async () => {
  const folder = temporaryFolder();
  const [path, other] = [join(folder, 'record.json'), join(folder, 'other')];
  writeFileSync(other, 'untouched');
  symlinkSync(other, path);

  await replaceFile(path, 'new');

  expect([readFileSync(path, 'utf8'), readFileSync(other, 'utf8')]).toEqual(['new', 'untouched']);
});

it('keeps the old file when it fails, and names the requested path', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'taken');
  mkdirSync(join(path, 'below'), { recursive: true });

  const failure: unknown = await replaceFile(path, 'new').catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(Error);
  expect(String(failure)).toContain(path);
  expect(String(failure)).not.toContain('.tmp');
  expect(readdirSync(folder)).toEqual(['taken']);
});

it('does not write through a link at its temporary name', async () => {
  const folder = temporaryFolder();
  const [path, temporary, other] = [join(folder, 'a.json'), join(folder, 'a.tmp'), join(folder, 'other')];
  writeFileSync(other, 'untouched');
  symlinkSync(other, temporary);

  await expect(replaceFile(path, 'new', temporary)).rejects.toThrow('EEXIST');

  expect(readFileSync(other, 'utf8')).toBe('untouched');
});
