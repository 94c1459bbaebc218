import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInside } from '../../../src/core/paths.js';
import { judgedCommandOf } from '../../../src/session/approval/command-targets.js';
import { garbledName, plantDeepLink, takesAnyName } from '../../kit/odd-paths.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

/** A project in which one folder has a link to a file outside. */
function prepare() {
  const root = realpathSync(temporaryFolder());
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  for (const folder of ['src/deep', 'linked', '.git/objects', '.git/refs/heads'])
    mkdirSync(join(cwd, folder), { recursive: true });
  mkdirSync(home);
  for (const name of ['src/a.ts', 'src/deep/b.ts', 'linked/plain.txt']) writeFileSync(join(cwd, name), name);
  writeFileSync(join(cwd, '.git', 'config'), '[core]\n');
  writeFileSync(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(home, 'secret'), 'secret');
  symlinkSync(join(home, 'secret'), join(cwd, 'linked', 'link.txt'));
  symlinkSync(home, join(cwd, 'away'));
  const readsInside = (command: string, at = '.', toolName = 'Bash'): boolean => {
    const call = { toolName, toolUseId: 't', input: { command }, permissionMode: 'default' };
    const judged = judgedCommandOf({ ...call, cwd: join(cwd, at) }, [], { cwd });
    return judged?.reads?.every(({ real }) => isInside(real, cwd)) === true;
  };
  return { root, cwd, home, readsInside };
}

describe('what a command reads', () => {
  it.each([
    'cat src/a.ts',
    'diff src/a.ts src/deep/b.ts',
    'diff src src/deep',
    'grep x src/a.ts',
    'grep x missing',
    'git diff',
    'npm test',
  ])('is inside the folder: %s', (command) => {
    expect(prepare().readsInside(command)).toBe(true);
  });

  it.each([
    'cat linked/link.txt',
    'cat src/a.ts linked/link.txt',
    'ls away',
    'cat away/secret',
    'diff linked src',
    'grep -n linked/link.txt src',
    'cat ../home/secret',
    'cat src/../../home/secret',
    'cat linked/*',
    'cat ~/secret',
    'cd ./linked && cat link.txt',
  ])('is outside the folder, or unknown: %s', (command) => {
    expect(prepare().readsInside(command)).toBe(false);
  });

  it.skipIf(!takesAnyName)('is unknown for a link that cannot be looked up', () => {
    const { cwd, home, readsInside } = prepare();
    const before = readsInside('diff src src/deep');
    symlinkSync(home, garbledName(cwd, 'sub'));
    symlinkSync(garbledName('', 'sub'), join(cwd, 'data'));
    symlinkSync(join(home, 'secret'), garbledName(join(cwd, 'src'), 'x'));
    const deep = plantDeepLink(cwd, join(home, 'secret'));

    const commands = ['cat data/secret', 'diff src src/deep', `cat ${deep}`];

    expect([before, ...commands.map((command) => readsInside(command))]).toEqual([true, false, false, false]);
  });

  it('starts where the session is now', () => {
    const { readsInside } = prepare();

    expect(readsInside('cat plain.txt', 'linked')).toBe(true);
    expect(readsInside('cat link.txt', 'linked')).toBe(false);
    expect(readsInside('cat ../secret', 'src/deep')).toBe(true);
    expect(readsInside('cat ../secret')).toBe(false);
  });

  it('is not known if a folder has too many entries', () => {
    const { cwd, readsInside } = prepare();
    for (let index = 0; index <= 2_000; index += 1) writeFileSync(join(cwd, 'src', `f${index}`), '');

    expect(readsInside('diff src linked/plain.txt')).toBe(false);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'is not known if a folder can be entered, but not listed',
    () => {
      const { cwd, readsInside } = prepare();
      const before = readsInside('diff src linked/plain.txt');
      chmodSync(join(cwd, 'src'), 0o100);
      const after = readsInside('diff src linked/plain.txt');
      chmodSync(join(cwd, 'src'), 0o700);

      expect([before, after]).toEqual([true, false]);
    },
  );

  it('is the whole repository for git', () => {
    const { cwd } = prepare();
    const sub = join(cwd, 'src');
    const readsIn = (command: string) => {
      const call = { toolName: 'Bash', toolUseId: 't', input: { command }, permissionMode: 'default' };
      return judgedCommandOf(call, [], { cwd: sub })?.reads?.map(({ real }) => real);
    };

    expect(readsIn('git diff')).toEqual([sub, cwd]);
    expect(readsIn('git show HEAD')).toEqual([sub, join(sub, 'HEAD'), cwd]);
    expect(readsIn('git status')).toEqual([sub, cwd]);
  });

  it.each<[string, (git: string, other: string) => void]>([
    ['a file', (git, other) => (rmSync(git, { recursive: true }), writeFileSync(git, `gitdir: ${other}`))],
    ['a link', (git, other) => (rmSync(git, { recursive: true }), symlinkSync(other, git))],
    ['a folder with links', (git, other) => symlinkSync(other, join(git, 'index'))],
    ['a folder of a worktree', (git) => writeFileSync(join(git, 'commondir'), '../other')],
    ['a folder for other files', (git) => writeFileSync(join(git, 'config'), '[core]\nworktree = /home')],
    ['a folder with other settings', (git) => writeFileSync(join(git, 'config'), '[include]\npath = x')],
    ['a folder without settings', (git) => rmSync(join(git, 'config'))],
    ['a folder with links below it', (git, other) => symlinkSync(other, join(git, 'objects', 'pack'))],
    ['a folder with a linked branch', (git, other) => symlinkSync(other, join(git, 'refs', 'heads', 'a'))],
    [
      'a folder with a linked list of work to do',
      (git, other) => (
        mkdirSync(join(git, 'rebase-merge')),
        symlinkSync(join(other, 'secret'), join(git, 'rebase-merge', 'git-rebase-todo'))
      ),
    ],
    ['a folder with submodules', (git) => writeFileSync(join(git, 'config'), '[diff]\nsubmodule = diff')],
    [
      'a folder with attributes elsewhere',
      (git) => writeFileSync(join(git, 'config'), '[core]\nattributesFile = /home/secret'),
    ],
    [
      'a folder with names elsewhere',
      (git) => writeFileSync(join(git, 'config'), '[mailmap]\nfile = /home/secret'),
    ],
    ['a folder that git passes over, without HEAD', (git) => rmSync(join(git, 'HEAD'))],
    ['a folder that git passes over, with another HEAD', (git) => writeFileSync(join(git, 'HEAD'), 'x')],
    [
      'a folder that git passes over, without branches',
      (git) => rmSync(join(git, 'refs'), { recursive: true }),
    ],
    [
      'beside a repository whose HEAD leads nowhere',
      (git) => (
        mkdirSync(join(git, '..', 'objects')),
        symlinkSync('refs/heads/none', join(git, '..', 'HEAD'))
      ),
    ],
    [
      'a folder with objects elsewhere',
      (git) => {
        mkdirSync(join(git, 'objects', 'info'), { recursive: true });
        writeFileSync(join(git, 'objects', 'info', 'alternates'), '/home');
      },
    ],
    [
      'beside a repository without files',
      (git) => (mkdirSync(join(git, '..', 'objects')), writeFileSync(join(git, '..', 'HEAD'), '')),
    ],
  ])('is not known for git if .git is %s', (_what, change) => {
    const { cwd, home, readsInside } = prepare();
    const before = readsInside('git status');

    change(join(cwd, '.git'), home);

    expect([before, readsInside('git status'), readsInside('git diff')]).toEqual([true, false, false]);
  });

  it('is known for git if hooks are links', () => {
    const { cwd, home, readsInside } = prepare();
    mkdirSync(join(cwd, '.git', 'hooks'));
    symlinkSync(home, join(cwd, '.git', 'hooks', 'pre-commit'));

    expect(readsInside('git status')).toBe(true);
  });

  it('is the same for a command that is watched, and is not known for most of PowerShell', () => {
    const { readsInside } = prepare();

    expect(readsInside('tail -f src/a.ts', '.', 'Monitor')).toBe(true);
    expect(readsInside('tail -f away/secret', '.', 'Monitor')).toBe(false);
    expect(readsInside('npm test', '.', 'PowerShell')).toBe(true);
    expect(readsInside('Get-Content a.ts', '.', 'PowerShell')).toBe(false);
    expect(readsInside('g`c a.ts', '.', 'PowerShell')).toBe(false);
    expect(readsInside('npm test | findstr.exe x', '.', 'PowerShell')).toBe(false);
  });
});
