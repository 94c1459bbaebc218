import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leadsTo } from '../../../src/session/approval/links.js';
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

it('is empty for paths that are what they seem, and for calls without paths', () => {
  const { cwd, pathsOf } = prepare();

  expect(pathsOf('Edit', { file_path: join(cwd, 'src', 'a.ts') })).toEqual([]);
  expect(pathsOf('Bash', { command: '/bin/ls in ~/x /etc/hosts' })).toEqual([]);
  expect(pathsOf('WebFetch', { url: 'https://example.com' })).toEqual([]);
});
