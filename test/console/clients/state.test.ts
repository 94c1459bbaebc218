import { describe, expect, it } from 'vitest';
import { stateOf } from '../../../src/console/clients/state.js';
import { clients } from '../../../src/console/clients/table.js';

const npx = '"command": "npx", "args": ["-y", "mcp-server-claude-code"]';

describe('the state of a client', () => {
  it.each([
    ['claude-code', `{"mcpServers": {"claude-code": {"type": "stdio", ${npx}}}}`],
    ['claude-desktop', `\uFEFF{"mcpServers": {"claude-code": {${npx}}}}`],
    ['cursor', `{"mcpServers": {"claude-code": {${npx},},},} // end`],
    ['vscode', `{"servers": {/* ours */ "claude-code": {${npx}}}}`],
    ['windsurf', `{"mcpServers": {"claude-code": {${npx}}}}`],
    ['codex', '[mcp_servers.claude-code]\ncommand = "npx"\nargs = ["-y", "mcp-server-claude-code"]\n'],
    ['gemini', `{"mcpServers": {"claude-code": {${npx}}}}`],
    ['opencode', '{"mcp": {"claude-code": {"command": ["npx", "-y", "mcp-server-claude-code"]}}}'],
    ['zed', `{"context_servers": {"claude-code": {${npx}}}}`],
    ['cline', `{"mcpServers": {"claude-code": {${npx}}}}`],
  ] as const)('finds our entry in the file of %s', (id, text) => {
    expect(stateOf(clients[id], text)).toMatchObject({
      kind: 'configured',
      name: 'claude-code',
      command: ['npx', '-y', 'mcp-server-claude-code'],
    });
  });

  it('finds our entry by its command, whatever its name', () => {
    const text =
      '{"mcpServers": {"a": {"command": "x"}, "agents": {"command": "node", "args": ["/s/dist/claude-code-mcp.js"]}}}';

    expect(stateOf(clients.cursor, text)).toEqual({
      kind: 'configured',
      name: 'agents',
      keys: ['mcpServers'],
      entry: { command: 'node', args: ['/s/dist/claude-code-mcp.js'] },
      command: ['node', '/s/dist/claude-code-mcp.js'],
    });
  });

  it('finds our entry among the servers of OpenCode 2', () => {
    const text = '{"mcp": {"servers": {"claude-code": {"command": ["claude-code-mcp"]}}}}';

    expect(stateOf(clients.opencode, text)).toMatchObject({ kind: 'configured', keys: ['mcp', 'servers'] });
  });

  it.each([
    ['no file', undefined],
    ['an empty file', ''],
    ['other servers', '{"mcpServers": {"a": {"command": "npx", "args": ["b"]}}}'],
    [
      'the package of others',
      '{"mcpServers": {"claude-code": {"command": "npx", "args": ["@other/claude-code-mcp"]}}}',
    ],
    ['a remote server', '{"mcpServers": {"a": {"url": "https://example.com/mcp-server-claude-code/"}}}'],
  ])('is absent with %s', (_name, text) => {
    expect(stateOf(clients.cursor, text)).toEqual({ kind: 'absent' });
  });

  it.each([
    ['claude-desktop', '{\n  // none\n}', 'Comments are not allowed in line 2.'],
    ['claude-desktop', '{"a": 1,\n}', 'Property name expected in line 2.'],
    ['cursor', '{\n"a": 1\n"b": 2}', 'Comma expected in line 3.'],
    ['cursor', '[]', 'The file must contain an object.'],
    ['cursor', '{"mcpServers": []}', '"mcpServers" must be an object.'],
    ['codex', 'a = 1\na = 2\n', 'Defining a key multiple times is invalid in line 2.'],
    ['codex', 'mcp_servers = 1\n', '"mcp_servers" must be an object.'],
  ] as const)('is broken in %s with %j', (id, text, why) => {
    expect(stateOf(clients[id], text)).toEqual({ kind: 'broken', why });
  });

  it.each([
    ['cursor', `{"a": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['codex', `a = ${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ] as const)('is broken in %s with values that are nested too deeply', (id, text) => {
    expect(stateOf(clients[id], text)).toEqual({ kind: 'broken', why: 'The file is nested too deeply.' });
  });
});
