import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
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
  for (const folder of ['src/deep', 'linked']) mkdirSync(join(cwd, folder), { recursive: true });
  mkdirSync(home);
  for (const name of ['src/a.ts', 'src/deep/b.ts', 'linked/plain.txt']) writeFileSync(join(cwd, name), name);
  writeFileSync(join(home, 'secret'), 'secret');
  symlinkSync(join(home, 'secret'), join(cwd, 'linked', 'link.txt'));
  symlinkSync(home, join(cwd, 'away'));
  const readsInside = (command: string, at = '.', toolName = 'Bash', permissionMode = 'default'): boolean => {
    const call = { toolName, toolUseId: 't', input: { command }, permissionMode };
    const judged = judgedCommandOf({ ...call, cwd: join(cwd, at) }, [], { cwd, home });
    return judged?.reads?.every(({ real }) => isInside(real, cwd)) === true;
  };
  return { cwd, home, readsInside };
}

describe('what a command reads', () => {
  it.each(['cat src/a.ts', 'grep x src/a.ts', 'grep x missing', 'npm test'])(
    'is inside the folder: %s',
    (command) => {
      expect(prepare().readsInside(command)).toBe(true);
    },
  );

  it.each([
    'cat linked/link.txt',
    'cat src/a.ts linked/link.txt',
    'ls away',
    'cat away/secret',
    'diff src/a.ts src/deep/b.ts',
    'git status',
    'git diff',
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
    symlinkSync(home, garbledName(cwd, 'sub'));
    symlinkSync(garbledName('', 'sub'), join(cwd, 'data'));
    const deep = plantDeepLink(cwd, join(home, 'secret'));

    const commands = ['cat src/a.ts', 'cat data/secret', `cat ${deep}`];

    expect(commands.map((command) => readsInside(command))).toEqual([true, false, false]);
  });

  it.each([
    ['deep/../plain.txt', false],
    ['../src/deep/../a.ts', false],
    ['./deep/./../../../home/secret', false],
    ['deep/b.ts', true],
    ['../linked/plain.txt', true],
    ['.././../project/src/a.ts', true],
  ])(
    'is unknown behind a link whose way up depends on another link, which the command could replace: %s',
    (target, isKnown) => {
      const { cwd, readsInside } = prepare();
      symlinkSync(target, join(cwd, 'src', 'turn'));
      symlinkSync('src/turn', join(cwd, 'near'));

      const commands = ['cat src/turn', 'cat near', 'rm src/deep && mkdir src/deep && cat near'];

      expect(commands.map((command) => readsInside(command, '.', 'Bash', 'acceptEdits'))).toEqual(
        commands.map(() => isKnown),
      );
    },
  );

  it('is unknown behind an absolute link that goes up', () => {
    const { cwd, readsInside } = prepare();
    symlinkSync(`${cwd}/src/deep/../a.ts`, join(cwd, 'turn'));

    expect(readsInside('cat turn')).toBe(false);
  });

  it.each<[command: string, isKnown: boolean]>([
    ['mv src/a.ts src/b.ts', true],
    ['mv src/a.ts linked/plain.txt src', true],
    ['mv src/missing.ts src/b.ts', true],
    ['mv linked inside', false],
    ['mv src/near src/a.ts', false],
    ['mv src/a.ts src/near src/deep', false],
    ['cp src/a.ts src/b.ts', true],
    ['cp -r src other', false],
    ['cp -r src/near other', false],
  ])('is known where edits are accepted if the command moves only files: %s', (command, isKnown) => {
    const { cwd, readsInside } = prepare();
    // From another place, it would lead out of the folder.
    symlinkSync('../linked/plain.txt', join(cwd, 'src', 'near'));

    expect(readsInside(command, '.', 'Bash', 'acceptEdits')).toBe(isKnown);
  });

  it('starts where the session is now', () => {
    const { readsInside } = prepare();

    expect(readsInside('cat plain.txt', 'linked')).toBe(true);
    expect(readsInside('cat link.txt', 'linked')).toBe(false);
    expect(readsInside('cat ../secret', 'src/deep')).toBe(true);
    expect(readsInside('cat ../secret')).toBe(false);
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

describe('what a command edits and moves', () => {
  const few = Array.from({ length: 70 }, (_, index) => index);
  const pairs = few.flatMap((first) => few.map((second) => `'a${first} b${second}'`)).join(' ');

  it('is unknown if its words, which can contain spaces, are too many to be looked up', () => {
    const { cwd, home } = prepare();
    const judged = (command: string) => {
      const call = { toolName: 'Bash', toolUseId: 't', input: { command }, permissionMode: 'default' };
      const { edits, moves } = judgedCommandOf(call, [], { cwd, home }) ?? {};
      return { edits: edits?.length, moves: moves?.length };
    };

    expect(judged(`mv ${pairs} hooks .github`)).toEqual({ edits: undefined, moves: undefined });
    expect(judged(`rm ${pairs} hooks .github`)).toEqual({ edits: undefined, moves: 0 });
    expect(judged(`echo ${pairs}`)).toEqual({ edits: 0, moves: 0 });
    expect(judged("mv 'a b' .github")).toEqual({ edits: 4, moves: 4 });
  });
});
