import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findExecutable } from '../../src/platform/find-executable.js';

function createFolder(...names: string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'find-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, ...names);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'claude'), '');
  chmodSync(join(folder, 'claude'), 0o755);
  return folder;
}

it.each([
  ['/opt/claude', '/opt/claude'],
  ['~/bin/claude', '/home/u/bin/claude'],
  ['./claude', undefined],
  ['bin/claude', undefined],
  ['claude', undefined],
])('takes %s as %s', (name, expected) => {
  expect(findExecutable(name, { home: '/home/u', searchPath: undefined })).toBe(expected);
});

it('finds a bare name on the search path, by absolute entries only and never among the tools of a project', () => {
  const project = createFolder('node_modules', '.bin');
  const system = createFolder('bin');
  const searchPath = ['.', 'bin', '', project, system].join(delimiter);

  expect(findExecutable('claude', { home: '/home/u', searchPath })).toBe(join(system, 'claude'));
});
