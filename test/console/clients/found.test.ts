import { expect, it } from 'vitest';
import type { Machine } from '../../../src/console/clients/client.js';
import { fileOf, isInstalled } from '../../../src/console/clients/found.js';
import { clientIds, clients } from '../../../src/console/clients/table.js';

const machine: Machine = { system: 'linux', home: '/home/a', environment: { PATH: 'bin:/usr/bin:/opt/bin' } };

it('takes a client for installed if it has left a trace', () => {
  const existing = new Set(['/home/a/.cursor', '/home/a/.config/zed', '/opt/bin/claude']);

  const installed = clientIds.filter((id) => isInstalled(clients[id], machine, (path) => existing.has(path)));

  expect(installed).toEqual(['claude-code', 'cursor', 'zed']);
});

it.each([
  ['/home/a/.claude.json', false],
  ['/home/a/.claude', false],
  ['/home/a/.npm/_npx/1/node_modules/.bin/claude', false],
  ['/home/a/.claude/local/claude', true],
  ['/home/a/.local/bin/claude', true],
])('of Claude Code, which this server also starts, only its command counts: %s', (path, expected) => {
  const environment = { PATH: '/home/a/.npm/_npx/1/node_modules/.bin:/usr/bin' };

  const found = isInstalled(clients['claude-code'], { ...machine, environment }, (one) => one === path);

  expect(found).toBe(expected);
});

it('takes the file that exists, otherwise the preferred one', () => {
  const jsonc = '/home/a/.config/opencode/opencode.jsonc';

  expect({
    existing: fileOf(clients.opencode, machine, (path) => path === jsonc),
    preferred: fileOf(clients.opencode, machine, () => false),
  }).toEqual({ existing: jsonc, preferred: '/home/a/.config/opencode/opencode.json' });
});
