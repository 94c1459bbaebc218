import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realTargetsOf } from '../../../src/session/approval/real-targets.js';
import { garbledName, takesAnyName } from '../../kit/odd-paths.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

function prepare() {
  const root = temporaryFolder();
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  mkdirSync(cwd);
  mkdirSync(home);
  const targetsOf = (toolName: string, input: Record<string, unknown>, at?: string) =>
    realTargetsOf({ toolName, input, cwd: at }, { cwd, home }).targets.map(({ real }) => real);
  const hasMore = (toolName: string, input: Record<string, unknown>) =>
    realTargetsOf({ toolName, input }, { cwd, home }).hasMoreTargets ?? false;
  return { cwd, home, targetsOf, hasMore };
}

describe('the path of a file tool', () => {
  it('starts at the working directory, or at the injected home folder', () => {
    const { cwd, home, targetsOf } = prepare();

    expect(targetsOf('Write', { file_path: ' notes.md ' })).toEqual([join(cwd, 'notes.md')]);
    expect(targetsOf('Read', { file_path: '~/notes.md' })).toEqual([join(home, 'notes.md')]);
    expect(targetsOf('LS', { path: '~' })).toEqual([home]);
    expect(targetsOf('Read', { file_path: '~notes.md' })).toEqual([join(cwd, '~notes.md')]);
  });

  it('starts where the session is now, after a command has moved it', () => {
    const { cwd, home, targetsOf } = prepare();
    const sub = join(cwd, 'sub');
    mkdirSync(sub);
    symlinkSync(home, join(sub, 'link'));

    expect(targetsOf('Grep', { pattern: 'x', path: 'link' }, sub)).toEqual([home]);
    expect(targetsOf('Grep', { pattern: 'x' }, sub)).toEqual([sub]);
  });

  it('is resolved through a link even if the target does not exist yet', () => {
    const { cwd, home, targetsOf } = prepare();
    symlinkSync(home, join(cwd, 'notes'));
    symlinkSync(join('.cursor', 'mcp.json'), join(cwd, 'harmless.json'));

    expect(targetsOf('Read', { file_path: 'notes/secret' })).toEqual([join(home, 'secret')]);
    expect(targetsOf('Write', { file_path: 'harmless.json' })).toEqual([join(cwd, '.cursor', 'mcp.json')]);
  });

  it('is an absolute Glob pattern rather than its path', () => {
    const { cwd, home, targetsOf } = prepare();

    expect(targetsOf('Glob', { pattern: join(home, '*.ts'), path: cwd })).toEqual([join(home, '*.ts')]);
    expect(targetsOf('Glob', { pattern: '*.ts', path: cwd })).toEqual([cwd]);
  });

  it('is read from every key that can hold it, so that none hides another', () => {
    const { cwd, home, targetsOf } = prepare();
    const filePath = join(home, 'a.ts');

    expect(targetsOf('LSP', { operation: 'hover', filePath })).toEqual([filePath]);
    expect(targetsOf('LSP', { operation: 'hover', filePath, path: 'b.ts' })).toEqual([
      join(cwd, 'b.ts'),
      filePath,
    ]);
  });

  it('is missing from a call that names none', () => {
    const { targetsOf } = prepare();

    expect(targetsOf('WebFetch', { url: 'https://example.com' })).toEqual([]);
  });
});

describe('the words of a command', () => {
  it('lead also to what the system finds behind a link', () => {
    const { cwd, home, targetsOf } = prepare();
    mkdirSync(join(home, 'deep'));
    symlinkSync(join(home, 'deep'), join(cwd, 'link'));

    for (const command of ['cat link/../secret', `cat ${cwd}/link/../secret`])
      expect(targetsOf('Bash', { command })).toEqual(
        expect.arrayContaining([join(cwd, 'secret'), join(home, 'secret')]),
      );
    expect(targetsOf('Read', { file_path: 'link/../secret' })).toEqual([join(cwd, 'secret')]);
  });

  it('can begin with a tilde, which is the home folder or, in quotes, a name', () => {
    const { cwd, home, targetsOf } = prepare();

    expect(targetsOf('Bash', { command: 'cat "~/a"' })).toEqual(
      expect.arrayContaining([join(home, 'a'), join(cwd, '~', 'a')]),
    );
  });

  it.each([
    ['cp a .cursor/b'],
    ['cp a .cur""sor/b'],
    ["cp a .cur'so'r/b"],
    [String.raw`cp a .cur\sor/b`],
    ['cp a ".cursor/b"'],
    ['echo x>.cursor/b'],
    ['cp --target-directory=.cursor/b a'],
    ['touch x;touch .cursor/b'],
    ['(touch .cursor/b)'],
    ['cp a link/b'],
  ])('include every path as the shell would read it: %s', (command) => {
    const { cwd, targetsOf } = prepare();
    symlinkSync('.cursor', join(cwd, 'link'));

    expect(targetsOf('Bash', { command })).toContain(join(cwd, '.cursor', 'b'));
  });

  it('include the working directory and paths in the home folder', () => {
    const { cwd, home, targetsOf } = prepare();

    expect(targetsOf('Bash', { command: 'ls' })).toContain(cwd);
    expect(targetsOf('Bash', { command: 'cat ~/.ssh/id' })).toContain(join(home, '.ssh', 'id'));
  });

  it.skipIf(!takesAnyName)('are not all known if a link cannot be looked up', () => {
    const { cwd, hasMore } = prepare();
    symlinkSync(garbledName('', 'sub'), join(cwd, 'data'));

    expect(hasMore('Bash', { command: 'cp a data/b' })).toBe(true);
    expect(hasMore('Write', { file_path: join(cwd, 'data') })).toBe(true);
    expect(hasMore('Bash', { command: 'cp a b' })).toBe(false);
  });

  it('exclude what is too long for a path', () => {
    const { targetsOf } = prepare();

    expect(targetsOf('Bash', { command: `echo ${'a/'.repeat(50_000)}` })).toHaveLength(2);
  });
});

describe('a long command', () => {
  const words = Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ');

  it('is looked up in part only, and says so', () => {
    const { targetsOf, hasMore } = prepare();

    expect(targetsOf('Bash', { command: `touch ${words}` })).toHaveLength(4_000);
    expect(hasMore('Bash', { command: `touch ${words}` })).toBe(true);
    expect(hasMore('mcp__shell__run', { command: `touch ${words}` })).toBe(true);
    expect(hasMore('Bash', { command: `touch ${' '.repeat(100_000)} .envrc` })).toBe(true);
  });

  it('is looked up as a whole if its words repeat or are few', () => {
    const { hasMore } = prepare();

    expect(hasMore('Bash', { command: 'cat >> a.txt <<END\nsome words again\n'.repeat(2_000) })).toBe(false);
    expect(hasMore('Write', { file_path: 'a.txt', content: words })).toBe(false);
  });
});
