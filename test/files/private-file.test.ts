import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { NotPrivateError, openPrivateFile, privacyProblem } from '../../src/files/private-file.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const onPosix = it.skipIf(process.platform === 'win32');

function open(path: string, flags = constants.O_RDONLY) {
  const file = openPrivateFile(path, flags);
  onTestFinished(() => closeSync(file.descriptor));
  return file;
}

function problemOf(path: string): unknown {
  try {
    open(path);
    return undefined;
  } catch (error) {
    if (error instanceof NotPrivateError) return error.problem;
    throw error;
  }
}

function writeWithMode(mode: number): string {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, 'text');
  chmodSync(path, mode);
  return path;
}

onPosix.each([
  [0o600, undefined],
  [0o644, undefined],
  [0o620, 'writable-by-others'],
  [0o602, 'writable-by-others'],
])('judges a file of mode %o as %s', (mode, problem) => {
  expect(problemOf(writeWithMode(mode))).toBe(problem);
});

onPosix('tells whether others may read the file', () => {
  expect(open(writeWithMode(0o600)).isReadableByOthers).toBe(false);
  expect(open(writeWithMode(0o640)).isReadableByOthers).toBe(true);
});

it('refuses links, wherever they lead', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '', { mode: 0o600 });
  symlinkSync('file', join(folder, 'link'));
  symlinkSync('missing', join(folder, 'dangling'));

  expect(problemOf(join(folder, 'link'))).toBe('symbolic-link');
  expect(problemOf(join(folder, 'dangling'))).toBe('symbolic-link');
});

onPosix('refuses a folder and a pipe, without waiting for a writer', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'folder'));
  execFileSync('mkfifo', ['-m', '600', join(folder, 'pipe')]);

  expect(problemOf(join(folder, 'folder'))).toBe('wrong-kind');
  expect(problemOf(join(folder, 'pipe'))).toBe('wrong-kind');
});

it('passes on the system error when the file is missing', () => {
  expect(() => open(join(temporaryFolder(), 'missing'))).toThrow('ENOENT');
});

onPosix('creates a file for its owner only, and reads what is open', () => {
  const path = join(temporaryFolder(), 'new');

  const { descriptor } = open(path, constants.O_RDWR | constants.O_CREAT);
  writeFileSync(path, 'text');

  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(descriptor, 'utf8')).toBe('text');
});

onPosix('judges folders by the same rules', () => {
  const folder = temporaryFolder();
  symlinkSync(folder, join(folder, 'link'));
  mkdirSync(join(folder, 'shared'));
  chmodSync(join(folder, 'shared'), 0o770);
  writeFileSync(join(folder, 'file'), '');
  const judge = (name: string) => privacyProblem(lstatSync(join(folder, name)), 'folder');

  expect([judge('.'), judge('link'), judge('shared'), judge('file')]).toEqual([
    undefined,
    'symbolic-link',
    'writable-by-others',
    'wrong-kind',
  ]);
});
