import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { gatherClients } from '../../../src/app/doctor/client-facts.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

const server = { mcpServers: { 'claude-code': { command: 'claude-code-mcp' } } };

it.each([
  ['a file that Claude Code wrote when it was asked something', { 'home/.claude.json': '{}' }, []],
  ['its command', { 'bin/claude': '' }, ['claude-code']],
  ['an entry for this server', { 'home/.claude.json': JSON.stringify(server) }, ['claude-code']],
])('judges whether Claude Code is a client: %s', async (_case, files, expected) => {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }

  const found = await gatherClients({
    home: join(root, 'home'),
    environment: { PATH: join(root, 'bin') },
  });

  expect(found.map(({ id }) => id)).toEqual(expected);
});

it.each([
  [['/gone/dist/claude-code-mcp.js'], '/gone/dist/claude-code-mcp.js'],
  [['mcp-server-claude-code', '--audit-log', '/not/yet/audit.jsonl'], undefined],
])('expects the program to exist, but no file of a setting: %j', async (args, missing) => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.cursor'));
  const entry = { command: 'node', args };
  writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: { agents: entry } }));

  const found = await gatherClients({ home, environment: { PATH: '' } });

  expect(found.map((client) => client.missing)).toEqual([missing]);
});
