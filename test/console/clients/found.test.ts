import { expect, it } from 'vitest';
import type { Machine } from '../../../src/console/clients/client.js';
import { fileOf, isInstalled } from '../../../src/console/clients/found.js';
import { clientIds, clients } from '../../../src/console/clients/table.js';

const machine: Machine = { system: 'linux', home: '/home/a', environment: {} };

it('takes a client for installed if it has left a trace', () => {
  const existing = new Set(['/home/a/.cursor', '/home/a/.config/zed', '/home/a/.claude.json']);

  const installed = clientIds.filter((id) => isInstalled(clients[id], machine, (path) => existing.has(path)));

  expect(installed).toEqual(['claude-code', 'cursor', 'zed']);
});

it('takes the file that exists, otherwise the preferred one', () => {
  const jsonc = '/home/a/.config/opencode/opencode.jsonc';

  expect({
    existing: fileOf(clients.opencode, machine, (path) => path === jsonc),
    preferred: fileOf(clients.opencode, machine, () => false),
  }).toEqual({ existing: jsonc, preferred: '/home/a/.config/opencode/opencode.json' });
});
