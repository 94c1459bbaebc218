import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveClaudeHome } from '../../src/history/claude-home.js';
import { addressOf, readConfiguredServers } from '../../src/history/settings/configured-servers.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

function createHome(state: unknown): { home: string; cwd: string; read: (isTrusted: boolean) => unknown } {
  const home = temporaryFolder();
  const cwd = join(home, 'work', 'app');
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(home, '.claude.json'), typeof state === 'string' ? state : JSON.stringify(state));
  const claudeHome = { ...resolveClaudeHome({ home }), managedDir: join(home, 'managed') };
  return {
    home,
    cwd,
    read: (isTrusted) => readConfiguredServers(claudeHome, cwd, isTrusted),
  };
}

describe('the MCP servers of the user', () => {
  it('are those for all projects and for single projects, each with its host or program', () => {
    const { read } = createHome({
      mcpServers: { github: { type: 'http', url: 'https://github.example:8443/mcp?key=x' } },
      projects: { '/elsewhere': { mcpServers: { local: { command: 'local-mcp', args: ['--key', 'x'] } } } },
    });

    expect(read(false)).toEqual({ github: 'github.example:8443', local: 'local-mcp' });
  });

  it('include those of the folder and its parents only if the folder is trusted', () => {
    const { home, cwd, read } = createHome({ mcpServers: { shared: { command: 'of-user' } } });
    const servers = (command: string) =>
      JSON.stringify({ mcpServers: { shared: { command }, [command]: {} } });
    writeFileSync(join(home, 'work', '.mcp.json'), servers('of-parent'));
    writeFileSync(join(cwd, '.mcp.json'), servers('of-folder'));

    expect(read(false)).toEqual({ shared: 'of-user' });
    expect(read(true)).toEqual({ shared: 'of-folder', 'of-parent': '', 'of-folder': '' });
  });

  it('include those of the machine, which override the others', () => {
    const { home, read } = createHome({ mcpServers: { shared: { command: 'of-user' } } });
    const put = (file: string, content: object) =>
      writeFileSync(join(home, 'managed', file), JSON.stringify(content));
    mkdirSync(join(home, 'managed'));
    put('managed-mcp.json', { mcpServers: { shared: { command: 'of-machine' } } });
    put('managed-settings.json', { managedMcpServers: { more: { command: 'also-of-machine' } } });

    expect(read(false)).toEqual({ shared: 'of-machine', more: 'also-of-machine' });
  });

  it.each(['', 'not JSON', [], { mcpServers: 5, projects: [] }, { mcpServers: { '': null } }])(
    'are none that can be read in %j, and nothing fails',
    (state) => {
      expect(Object.values(createHome(state).read(true) as object).join('')).toBe('');
    },
  );
});

it.each([
  [{ url: 'not a URL' }, 'not a URL'],
  [{ command: '/usr/bin/node' }, '/usr/bin/node'],
  [{ url: 5 }, ''],
  ['text', ''],
])('the address of %j is %j', (server, address) => {
  expect(addressOf(server)).toBe(address);
});
