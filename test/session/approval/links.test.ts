import { chmodSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leadsTo } from '../../../src/session/approval/links.js';
import { garbledName, plantDeepLink, takesAnyName } from '../../kit/odd-paths.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

/** A project with a link to the home folder, and one to its own folder `src`. */
function prepare() {
  const root = temporaryFolder();
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  mkdirSync(join(cwd, 'src'), { recursive: true });
  mkdirSync(home);
  symlinkSync(home, join(cwd, 'out'));
  symlinkSync('src', join(cwd, 'in'));
  const pathsOf = (toolName: string, input: Record<string, unknown>, at?: string) =>
    leadsTo({ toolName, input, cwd: at }, { cwd, home }, [cwd]);
  return { cwd, home, pathsOf };
}

it('is the real path of a file that is named by a link, inside the folders or outside', () => {
  const { cwd, home, pathsOf } = prepare();

  expect(pathsOf('Write', { file_path: join(cwd, 'out', '.bashrc') })).toEqual([join(home, '.bashrc')]);
  expect(pathsOf('NotebookEdit', { notebook_path: 'in/a.ipynb' })).toEqual([join(cwd, 'src', 'a.ipynb')]);
  expect(pathsOf('Read', { file_path: '../out/x' }, join(cwd, 'src'))).toEqual([join(home, 'x')]);
});

it('is every path outside that a command names as if it were inside', () => {
  const { home, pathsOf } = prepare();

  expect(pathsOf('Bash', { command: 'cp out/a out/b; cat in/c > src/d' })).toEqual([
    join(home, 'a'),
    join(home, 'b'),
  ]);
});

it('is where links lead out of the folders, whatever the command says', () => {
  const { home, pathsOf } = prepare();

  expect(pathsOf('Bash', { command: 'npm test' })).toEqual([home]);
});

it('says that there are more links if they take too long to follow', () => {
  const { cwd, pathsOf } = prepare();
  mkdirSync(join(cwd, 'a'));
  symlinkSync('a', join(cwd, 'l0'));
  for (let index = 1; index < 39; index += 1)
    symlinkSync(`${'a/../'.repeat(800)}l${index - 1}`, join(cwd, `l${index}`));

  expect(pathsOf('Bash', { command: 'npm test' }).at(-1)).toBe('…');
});

it('is empty for paths that are what they seem, and for calls without paths', () => {
  const { cwd, pathsOf } = prepare();

  expect(pathsOf('Edit', { file_path: join(cwd, 'src', 'a.ts') })).toEqual([]);
  expect(pathsOf('WebFetch', { url: 'https://example.com' })).toEqual([]);
});

it.each([
  ['after cd', 'cd src && echo x >> notes.md'],
  ['after several', 'cd src; cd deep && echo x >> ../notes.md'],
  ['by a pattern', 'sed -i s/a/b/ src/n*.md'],
  ['by a question mark', 'tee src/note?.md'],
  ['by braces', 'tee src/{notes,other}.md'],
  ['by an escape', "tee src/$'\\x6eotes.md'"],
  ['by a variable', 'tee src/$NAME'],
  ['by a quoted part', 'cd "src" && tee no"tes".md'],
  ['by an option', 'git -C src apply notes.md'],
  ['by a pattern for its folder', 'cat s*/notes.md'],
  ['by a quote in a name', `cat "it's.txt"`],
  ['by the output of another command', 'ls | xargs cat'],
  ['by a computed folder', 'cd "$(cat dir)" && cat notes.md'],
  ['by a search', 'grep -R password .'],
  ['in capital letters', 'cd SRC && cat NOTES.MD'],
  ['by a sign of zsh', 'cat sr(c)/note<1-9>'],
])('is a path outside that a command reaches %s', (_how, command) => {
  const { cwd, home, pathsOf } = prepare();
  mkdirSync(join(cwd, 'src', 'deep'));
  unlinkSync(join(cwd, 'out'));
  symlinkSync(join(home, '.bashrc'), join(cwd, 'src', 'notes.md'));
  symlinkSync(join(home, '.bashrc'), join(cwd, "it's.txt"));

  expect(pathsOf('Bash', { command })).toEqual([join(home, '.bashrc')]);
});

it('names the files of the user first', () => {
  const { cwd, home, pathsOf } = prepare();
  writeFileSync(join(home, '.bashrc'), '');
  symlinkSync(join(home, '.bashrc'), join(cwd, 'notes.md'));
  const decoys = ['l1', 'l2', 'l3', 'l4', 'l5', 'l6'];
  for (const name of decoys) symlinkSync(`/nowhere/${name}`, join(cwd, name));

  const paths = pathsOf('Bash', { command: `tee ${decoys.join(' ')} notes.md` });

  expect(paths.slice(0, 2).toSorted()).toEqual([home, join(home, '.bashrc')]);
  expect(paths.slice(2).toSorted()).toEqual(decoys.map((name) => `/nowhere/${name}`));
});

it('ignores links that stay inside, and those in folders of programs that a command does not name', () => {
  const { cwd, home, pathsOf } = prepare();
  unlinkSync(join(cwd, 'out'));
  mkdirSync(join(cwd, 'node_modules', 'a'), { recursive: true });
  symlinkSync(home, join(cwd, 'node_modules', 'a', 'b'));

  expect(pathsOf('Bash', { command: 'npm test' })).toEqual([]);
  expect(pathsOf('Bash', { command: 'cd node_modules; cat a/b/c' })).toEqual([home]);
});

it.skipIf(!takesAnyName)('says so if there may be a link that cannot be looked up', () => {
  const { cwd, home, pathsOf } = prepare();
  const before = pathsOf('Bash', { command: 'npm test' });
  writeFileSync(garbledName(cwd, 'file'), '');
  const withFile = pathsOf('Bash', { command: 'npm test' });
  symlinkSync(home, garbledName(cwd, 'link'));

  expect([before, withFile, pathsOf('Bash', { command: 'npm test' })]).toEqual([[home], [home], [home, '…']]);
});

it.skipIf(!takesAnyName)('says so if a folder is too deep to be looked at', () => {
  const { cwd, home, pathsOf } = prepare();
  plantDeepLink(cwd, home);

  expect(pathsOf('Bash', { command: 'npm test' })).toEqual([home, '…']);
});

it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'says so if a folder can be entered, but not listed',
  () => {
    const { cwd, home, pathsOf } = prepare();
    chmodSync(join(cwd, 'src'), 0o000);
    const closed = pathsOf('Bash', { command: 'npm test' });
    chmodSync(join(cwd, 'src'), 0o100);
    const hidden = pathsOf('Bash', { command: 'npm test' });
    chmodSync(join(cwd, 'src'), 0o700);

    expect([closed, hidden]).toEqual([[home], [home, '…']]);
  },
);

it('says so if there are too many links to look at', () => {
  const { cwd, home, pathsOf } = prepare();
  for (let index = 0; index < 2_001; index += 1) symlinkSync('src', join(cwd, `in-${index}`));

  const paths = pathsOf('Bash', { command: 'cat out/a' });

  expect([paths[0], paths.at(-1)]).toEqual([join(home, 'a'), '…']);
});

it('does not need long for a command and a folder that are made to be slow', () => {
  const { cwd, pathsOf } = prepare();
  for (let index = 0; index < 300; index += 1)
    symlinkSync('/nowhere', join(cwd, `${'a'.repeat(200)}${index}`));
  const command = Array.from({ length: 900 }, (_, index) => `${'*a'.repeat(4)}${index}b`).join(' ');

  expect(pathsOf('Bash', { command })).toContain('/nowhere');
});
