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

it.each([
  [{ args: ['--max-sessions', 'many'] }, '--max-sessions=many: must be a whole number'],
  [{ args: ['--aprovals', 'human'] }, '--aprovals is not a flag: did you mean --approvals?'],
  [{ args: ['--config', '/gone.json'] }, '/gone.json: file not found.'],
  [{ env: { CLAUDE_CODE_MCP_APPROVALS: 'humans' } }, 'CLAUDE_CODE_MCP_APPROVALS=humans: must be one of'],
  [{ env: { CLAUDE_CODE_MCP_APPROVALS: '${input:approvals}' } }, undefined],
  [{ args: ['--roots', '${workspaceFolder}'] }, undefined],
  [{ args: ['connect', '--max-sessions', '4'], env: { CLAUDE_CODE_MCP_APPROVALS: '' } }, undefined],
])('reads the settings of the entry as the server does: %j', async (entry, refusal) => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.cursor'));
  const server = { command: 'claude-code-mcp', ...entry };
  writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: { agents: server } }));

  const [found] = await gatherClients({ home, environment: { PATH: '' } });

  if (refusal === undefined) expect(found?.refusal).toBeUndefined();
  else expect(found?.refusal).toContain(refusal);
});
