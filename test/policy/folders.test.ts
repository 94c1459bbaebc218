import { join, sep } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { isInside, refuseFolder, type FolderBounds } from '../../src/policy/folders.js';

const bounds: FolderBounds = {
  home: '/home/ann',
  stateDir: '/var/state/ours',
  claudeDir: '/home/ann/.claude',
  listed: [],
  trusted: [],
  roots: [],
};

function reasonFor(path: string, changes: Partial<FolderBounds> = {}): string | undefined {
  try {
    refuseFolder('cwd', path, { ...bounds, ...changes });
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'PERMISSION_DENIED') throw error;
    return error.message;
  }
}

const own = 'this server keeps its own files there';
const home = 'it is the home folder or above it';

describe.skipIf(sep === '\\')('a folder', () => {
  it.each([
    ['/home/ann/project'],
    ['/home/anna'],
    ['/home/bob'],
    ['/srv'],
    ['/var/state/other'],
    ['/var/state/ours2'],
  ])('%s is fine', (path) => {
    expect(reasonFor(path)).toBeUndefined();
  });

  it.each([
    ['/home/ann', home],
    ['/home', home],
    ['/var/state/ours', own],
    ['/var/state/ours/sessions', own],
    ['/var/state', own],
    ['/var', own],
    ['/home/ann/.claude', 'it is where Claude Code keeps its settings and credentials'],
    ['/home/ann/.claude/projects', 'it is where Claude Code keeps its settings and credentials'],
    ['/', 'it is the root of the file system'],
  ])('%s is refused: %s', (path, reason) => {
    expect(reasonFor(path)).toBe(`cwd ${path} is refused: ${reason}`);
  });

  it('is told to be the home folder, also when that holds the state folder, as it does by default', () => {
    const stateDir = '/home/ann/.local/state/claude-code-mcp';

    expect(reasonFor('/home/ann', { stateDir })).toBe(`cwd /home/ann is refused: ${home}`);
  });

  it('is fine when the operator has listed exactly this one', () => {
    expect(reasonFor('/home/ann', { listed: ['/home/ann'] })).toBeUndefined();
    expect(reasonFor('/home', { listed: ['/home/ann'] })).toBe(`cwd /home is refused: ${home}`);
    expect(reasonFor('/home/ann', { listed: ['/home'] })).toBe(`cwd /home/ann is refused: ${home}`);
  });

  it('is refused for our own files even when it is listed', () => {
    expect(reasonFor('/var/state/ours', { listed: ['/var/state/ours'] })).toContain(own);
  });

  it('says where our own files can be moved', () => {
    expect(() => refuseFolder('cwd', '/var/state/ours', bounds)).toThrow(
      new AppError('folder_has_own_files', { option: 'cwd', path: '/var/state/ours' }),
    );
  });

  it('names the option, and what to do instead', () => {
    expect(() => refuseFolder('additionalDirectories', '/home', bounds)).toThrow(
      new AppError('folder_too_wide', {
        option: 'additionalDirectories',
        path: '/home',
        what: 'the home folder or above it',
      }),
    );
  });
});

describe('isInside', () => {
  /** Names as a file system has them, with those that look like something else. */
  const name = fc.oneof(
    fc.constantFrom('a', 'ab', '..a', '...', ' ', '-', 'a.b'),
    fc.stringMatching(/^[a-z]{1,4}$/),
  );
  const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => sep + names.join(sep));

  it('holds for the folder itself and everything below it', () => {
    fc.assert(
      fc.property(path, fc.array(name, { maxLength: 4 }), (folder, below) => {
        expect(isInside(join(folder, ...below), folder)).toBe(true);
      }),
    );
  });

  it('does not hold for what is above it or beside it', () => {
    fc.assert(
      fc.property(path, name, name, (parent, first, second) => {
        fc.pre(first !== second);

        expect(isInside(parent, join(parent, first))).toBe(false);
        expect(isInside(join(parent, first), join(parent, second))).toBe(false);
        expect(isInside(join(parent, first, second), join(parent, second))).toBe(false);
      }),
    );
  });

  it('compares whole names, not beginnings', () => {
    fc.assert(
      fc.property(path, fc.stringMatching(/^[a-z.]{1,3}$/), (folder, more) => {
        expect(isInside(`${folder}${more}`, folder)).toBe(false);
      }),
    );
  });

  it('says for any two paths the same as comparing their names one by one', () => {
    fc.assert(
      fc.property(path, path, (first, second) => {
        const [names, prefix] = [first.split(sep), second.split(sep)];

        expect(isInside(first, second)).toBe(prefix.every((part, index) => names[index] === part));
      }),
    );
  });
});
