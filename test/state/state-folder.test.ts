import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareStateFolder } from '../../src/state/state-folder.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const subfolders = ['sessions', 'sessions/aliases', 'usage', 'budgets', 'locks', 'launches', 'audit'];

function stateWith(folder: string): { readonly state: string; readonly path: string } {
  const state = temporaryFolder();
  for (const name of subfolders) mkdirSync(join(state, name), { mode: 0o700 });
  return { state, path: join(state, folder) };
}

describe.skipIf(process.platform === 'win32')('the state folder', () => {
  it('is created for its owner only', () => {
    const path = join(temporaryFolder(), 'a', 'state');

    prepareStateFolder(path);

    expect(lstatSync(path).mode & 0o777).toBe(0o700);
  });

  it('is accepted with all its folders', () => {
    expect(() => prepareStateFolder(stateWith('').state)).not.toThrow();
  });

  it.each(['', ...subfolders])('is refused when others can write to its folder "%s"', (name) => {
    const { state, path } = stateWith(name);
    chmodSync(path, 0o770);

    expect(() => prepareStateFolder(state)).toThrow(
      `the state folder cannot be used: ${path} is writable by other users`,
    );
  });

  it.each(subfolders.filter((name) => name !== 'sessions'))('is refused when "%s" is a link', (name) => {
    const { state, path } = stateWith(name);
    rmdirSync(path);
    symlinkSync(temporaryFolder(), path);

    expect(() => prepareStateFolder(state)).toThrow(`${path} is a symbolic link`);
  });

  it('is refused when a file or a pipe takes the place of a folder', () => {
    const { state, path } = stateWith('usage');
    rmdirSync(path);
    writeFileSync(path, '');
    rmdirSync(join(state, 'locks'));

    expect(() => prepareStateFolder(state)).toThrow(`${path} is not a folder`);
    execFileSync('rm', [path]);
    execFileSync('mkfifo', [join(state, 'locks')]);
    expect(() => prepareStateFolder(state)).toThrow(`${join(state, 'locks')} is not a folder`);
  });

  it.skipIf(process.platform !== 'linux')('is refused with a reason when it cannot be looked into', () => {
    const root = temporaryFolder();
    const names = Array.from({ length: 50 }, () => 'x'.repeat(90));
    // The paths of its folders are longer than Linux allows.
    const state = join(root, ...names).slice(0, 4_085);
    mkdirSync(state, { recursive: true });

    expect(() => prepareStateFolder(state)).toThrow(/cannot be used: .* cannot be read \(ENAMETOOLONG/);
  });

  it('is refused when it belongs to another user', () => {
    const { state } = stateWith('');
    // A folder of root is fine, so a test that runs as root has to give it away.
    if (lstatSync(state).uid === 0) chownSync(state, 1_000, 1_000);
    const { uid } = lstatSync(state);

    expect(() => prepareStateFolder(state, uid)).not.toThrow();
    expect(() => prepareStateFolder(state, uid + 1)).toThrow(`${state} belongs to another user`);
  });
});

describe('the format of the state folder', () => {
  it('is written once, for its owner only', () => {
    const state = temporaryFolder();

    prepareStateFolder(state);
    prepareStateFolder(state);

    expect(readdirSync(state)).toEqual(['format']);
    expect(readFileSync(join(state, 'format'), 'utf8')).toBe('2\n');
    if (process.platform !== 'win32') expect(lstatSync(join(state, 'format')).mode & 0o777).toBe(0o600);
  });

  it('is refused if it is newer, and nothing is changed', () => {
    const state = temporaryFolder();
    writeFileSync(join(state, 'format'), '3 and more\n');
    mkdirSync(join(state, 'sessions'), { mode: 0o700 });

    expect(() => prepareStateFolder(state)).toThrow('written by a newer version');

    expect(readdirSync(state)).toEqual(['format', 'sessions']);
    expect(readFileSync(join(state, 'format'), 'utf8')).toBe('3 and more\n');
  });

  it.each(['', '\0\0', '2\n', '1\n'])('is accepted if the file says %j, as after a power failure', (text) => {
    const state = temporaryFolder();
    writeFileSync(join(state, 'format'), text);

    expect(() => prepareStateFolder(state)).not.toThrow();
  });

  it('is refused if a folder takes its place', () => {
    const state = temporaryFolder();
    mkdirSync(join(state, 'format'));

    expect(() => prepareStateFolder(state)).toThrow('the state folder cannot be used');
  });
});
