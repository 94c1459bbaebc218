import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { keyFolderOf } from '../../src/config/key-folder.js';

it.each([
  ['linux', {}, '/home/ann/.config/claude-code-mcp'],
  ['linux', { XDG_CONFIG_HOME: '/etc/ann' }, '/etc/ann/claude-code-mcp'],
  ['linux', { XDG_CONFIG_HOME: '', APPDATA: '/roaming' }, '/home/ann/.config/claude-code-mcp'],
  ['darwin', {}, '/home/ann/Library/Application Support/claude-code-mcp'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/claude-code-mcp'],
  ['win32', {}, '/home/ann/AppData/Roaming/claude-code-mcp'],
] as const)('keys on %s with %j are in %s', (platform, environment, folder) => {
  expect(keyFolderOf(environment, '/home/ann', platform)).toBe(resolve(folder));
});
