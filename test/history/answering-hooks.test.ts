import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveClaudeHome } from '../../src/history/claude-home.js';
import { findAnsweringHook } from '../../src/history/settings/answering-hooks.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const hook = [{ hooks: [{ type: 'command', command: 'true' }] }];

function prepare() {
  const root = temporaryFolder();
  const [home, cwd] = [join(root, 'home'), join(root, 'project')];
  const claudeHome = resolveClaudeHome({ home });
  const write = (path: string, hooks: unknown): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ hooks }));
    return path;
  };
  mkdirSync(cwd);
  const find = (loadsProject: boolean) => findAnsweringHook(claudeHome, cwd, { loadsProject });
  return { cwd, claudeHome, write, find };
}

it('is found in the settings of the user', async () => {
  const { claudeHome, write, find } = prepare();
  const path = write(claudeHome.settingsFile, { PermissionRequest: hook });

  expect(await find(false)).toBe(path);
});

it.each(['settings.json', 'settings.local.json'])('is found in %s of a project that loads', async (name) => {
  const { cwd, write, find } = prepare();
  const path = write(join(cwd, '.claude', name), { PermissionRequest: hook });

  expect([await find(true), await find(false)]).toEqual([path, undefined]);
});

it('is none if all hooks are of other kinds, or the list is empty', async () => {
  const { claudeHome, write, find } = prepare();
  write(claudeHome.settingsFile, { PreToolUse: hook, PermissionRequest: [] });

  expect(await find(true)).toBeUndefined();
});
