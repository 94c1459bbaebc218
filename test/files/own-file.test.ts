import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder, NotOwnError, openOwnFile, ownershipProblem } from '../../src/files/own-file.js';
import { openRegularFile, readOpened, readRegularFileSync } from '../../src/files/regular-file.js';
import { readJsonFile } from '../../src/files/json-file.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const onPosix = it.skipIf(process.platform === 'win32');

async function problemOf(path: string): Promise<unknown> {
  try {
    const handle = await openOwnFile(path);
    await handle.close();
    return undefined;
  } catch (error) {
    return error instanceof NotOwnError ? error.problem : error;
  }
}

onPosix('an own file is a regular file that nobody else can change', async () => {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('file'), 'text', { mode: 0o600 });
  writeFileSync(at('shared'), 'text');
  chmodSync(at('shared'), 0o666);
  symlinkSync('file', at('link'));
  symlinkSync('/dev/zero', at('device'));
  mkdirSync(at('folder'));
  execFileSync('mkfifo', ['-m', '600', at('pipe')]);
  const server = createServer().listen(at('socket'));
  onTestFinished(() => void server.close());

  expect(await problemOf(at('file'))).toBeUndefined();
  expect(await problemOf(at('shared'))).toBe('writable-by-others');
  expect(await problemOf(at('link'))).toBe('symbolic-link');
  expect(await problemOf(at('device'))).toBe('symbolic-link');
  expect(await problemOf('/dev/null')).toBe('wrong-kind');
  expect(await problemOf(at('folder'))).toBe('wrong-kind');
  expect(await problemOf(at('pipe'))).toBe('wrong-kind');
  expect(await problemOf(at('socket'))).toBe('wrong-kind');
  expect(await problemOf(at('missing'))).toMatchObject({ code: 'ENOENT' });
});

onPosix('a file or folder of another user is not our own, unless that user is root', () => {
  const stats = lstatSync(temporaryFolder());
  const asUser = (uid: number, userId: number) =>
    ownershipProblem(Object.assign(Object.create(stats), { uid }), 'folder', userId);

  expect(asUser(1_000, 1_000)).toBeUndefined();
  expect(asUser(0, 1_000)).toBeUndefined();
  expect(asUser(1_001, 1_000)).toBe('other-owner');
  expect(asUser(1_000, 0)).toBe('other-owner');
});

onPosix('a pipe is refused at once, also through a link, and reads as no JSON', async () => {
  const folder = temporaryFolder();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  symlinkSync('pipe', join(folder, 'link'));

  await expect(openRegularFile(join(folder, 'link'))).rejects.toThrow('is not a regular file');
  expect(await readJsonFile(join(folder, 'pipe'))).toBeUndefined();
});

it('a file is read through a link, and only up to its limit', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '{"a":1}');
  symlinkSync('file', join(folder, 'link'));
  const link = join(folder, 'link');

  expect(await readOpened(openRegularFile(link), 6)).toBeUndefined();
  expect(await readOpened(openRegularFile(link), 7)).toBe('{"a":1}');
  expect(() => readRegularFileSync(link, 6)).toThrow('is longer than 6 bytes');
  expect(readRegularFileSync(link, 7)).toBe('{"a":1}');
  expect(await readJsonFile(link)).toEqual({ a: 1 });
});

onPosix('a folder is created with those above it, for its owner only', () => {
  const path = join(temporaryFolder(), 'a', 'b');

  makeFolder(path);
  makeFolder(path);

  expect([path, join(path, '..')].map((folder) => lstatSync(folder).mode & 0o777)).toEqual([0o700, 0o700]);
});

onPosix('a folder is not created in place of a file, below one, or where a link leads nowhere', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('nowhere', join(folder, 'link'));

  expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(folder, 'file', 'a'))).toThrow('ENOTDIR');
  expect(() => makeFolder(join(folder, 'link', 'a'))).toThrow('EEXIST');
});
