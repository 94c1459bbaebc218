import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { moveFile, moveFileSync, whileBusy, whileBusySync } from '../../src/files/move-file.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

/** Fails as often as it has errors. */
function failing(...codes: string[]) {
  const left = [...codes];
  const attempt = (): void => {
    const code = left.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  };
  return { left, attempt, attemptLater: async () => attempt() };
}

describe('replacing a file on Windows', () => {
  it('is tried again while a program has the file open', async () => {
    const [change, sync] = [failing('EPERM', 'EBUSY', 'EACCES'), failing('EPERM', 'EBUSY', 'EACCES')];

    await whileBusy(change.attemptLater, 'win32');
    whileBusySync(sync.attempt, 'win32');

    expect([change.left, sync.left]).toEqual([[], []]);
  });

  it('fails when the file stays open', async () => {
    const many = Array.from({ length: 20 }, () => 'EPERM');
    const [change, sync] = [failing(...many), failing(...many)];

    await expect(whileBusy(change.attemptLater, 'win32')).rejects.toThrow('EPERM');
    expect(() => whileBusySync(sync.attempt, 'win32')).toThrow('EPERM');
    expect([change.left.length, sync.left.length]).toEqual([12, 12]);
  });

  it('fails at once for another reason', async () => {
    const change = failing('ENOENT', 'EPERM');

    await expect(whileBusy(change.attemptLater, 'win32')).rejects.toThrow('ENOENT');
    expect(change.left).toEqual(['EPERM']);
  });
});

it('fails at once on other systems, where an open file is no obstacle', async () => {
  const change = failing('EPERM', 'EPERM');

  await expect(whileBusy(change.attemptLater, 'linux')).rejects.toThrow('EPERM');
  expect(change.left).toEqual(['EPERM']);
});

it('replaces a file that a reader has open for a moment', async () => {
  const folder = temporaryFolder();
  const [from, to] = [join(folder, 'new'), join(folder, 'old')];
  writeFileSync(from, 'new');
  writeFileSync(to, 'old');
  const reader = openSync(to, 'r');
  setTimeout(() => closeSync(reader), 30);

  await moveFile(from, to);

  expect([readFileSync(to, 'utf8'), existsSync(from)]).toEqual(['new', false]);
});

it('replaces a file without yielding', () => {
  const folder = temporaryFolder();
  const [from, to] = [join(folder, 'new'), join(folder, 'old')];
  writeFileSync(from, 'new');
  writeFileSync(to, 'old');

  moveFileSync(from, to);

  expect([readFileSync(to, 'utf8'), existsSync(from)]).toEqual(['new', false]);
});
