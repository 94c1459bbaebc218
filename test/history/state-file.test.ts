import { chmod, mkdir, readFile, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BusyStateFileError, changeStateFile } from '../../src/history/settings/state-file.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { put } from './support/temp-home.js';

it('replaces the file, and keeps its mode and a link in its place', async () => {
  const folder = temporaryFolder();
  const real = await put(join(folder, 'dotfiles', 'claude.json'), 'old');
  await chmod(real, 0o640);
  const path = join(folder, '.claude.json');
  await symlink(real, path);

  await changeStateFile(path, (text) => `${text} new`);
  await changeStateFile(path, () => undefined);

  expect(await readFile(real, 'utf8')).toBe('old new');
  expect((await stat(real)).mode & 0o777).toBe(0o640);
  await expect(stat(`${path}.lock`)).rejects.toThrow('ENOENT');
});

it('creates a file that only its owner can read', async () => {
  const path = join(temporaryFolder(), '.claude.json');

  await changeStateFile(path, (text) => `${text}`);

  expect(await readFile(path, 'utf8')).toBe('undefined');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('leaves the file alone while Claude Code holds its lock, unless it was killed', async () => {
  const path = await put(join(temporaryFolder(), '.claude.json'), 'old');
  await mkdir(`${path}.lock`);

  await expect(changeStateFile(path, () => 'new', 100)).rejects.toBeInstanceOf(BusyStateFileError);
  const meanwhile = await readFile(path, 'utf8');
  await utimes(`${path}.lock`, 1, 1);
  await changeStateFile(path, () => 'new', 100);

  expect(meanwhile).toBe('old');
  expect(await readFile(path, 'utf8')).toBe('new');
});

it('releases the lock if the change is refused', async () => {
  const path = await put(join(temporaryFolder(), '.claude.json'), 'old');
  const refuse = (): never => {
    throw new Error('no');
  };

  await expect(changeStateFile(path, refuse)).rejects.toThrow('no');

  await expect(stat(`${path}.lock`)).rejects.toThrow('ENOENT');
  expect(await readFile(path, 'utf8')).toBe('old');
});
