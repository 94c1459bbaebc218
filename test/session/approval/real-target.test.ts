import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realTargetOf } from '../../../src/session/approval/real-target.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

function prepare() {
  const root = temporaryFolder();
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  mkdirSync(cwd);
  mkdirSync(home);
  const targetOf = (toolName: string, input: Record<string, unknown>) =>
    realTargetOf({ toolName, toolUseId: 'toolu_1', input, permissionMode: 'default' }, { cwd, home });
  return { cwd, home, targetOf };
}

it('resolves a relative path against the working directory and `~` against the injected home folder', () => {
  const { cwd, home, targetOf } = prepare();

  expect(targetOf('Write', { file_path: ' notes.md ' })).toBe(join(cwd, 'notes.md'));
  expect(targetOf('Read', { file_path: '~/notes.md' })).toBe(join(home, 'notes.md'));
  expect(targetOf('LS', { path: '~' })).toBe(home);
  expect(targetOf('Read', { file_path: '~notes.md' })).toBe(join(cwd, '~notes.md'));
});

it('resolves a link even if its target does not exist yet', () => {
  const { cwd, home, targetOf } = prepare();
  symlinkSync(home, join(cwd, 'notes'));
  symlinkSync(join('.cursor', 'mcp.json'), join(cwd, 'harmless.json'));

  expect(targetOf('Read', { file_path: 'notes/secret' })).toBe(join(home, 'secret'));
  expect(targetOf('Write', { file_path: 'harmless.json' })).toBe(join(cwd, '.cursor', 'mcp.json'));
});

it('prefers an absolute Glob pattern to its path', () => {
  const { cwd, home, targetOf } = prepare();

  expect(targetOf('Glob', { pattern: join(home, '*.ts'), path: cwd })).toBe(join(home, '*.ts'));
  expect(targetOf('Glob', { pattern: '*.ts', path: cwd })).toBe(cwd);
});

it('is undefined for a call that names no path', () => {
  const { targetOf } = prepare();

  expect(targetOf('Bash', { command: 'ls' })).toBeUndefined();
});
