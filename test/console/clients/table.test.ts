import { expect, it } from 'vitest';
import { clientIds, clients } from '../../../src/console/clients/table.js';
import type { Machine } from '../../../src/console/clients/client.js';

function filesOn(machine: Machine): object {
  return Object.fromEntries(clientIds.map((id) => [id, clients[id].files(machine)]));
}

it('knows where each client keeps its servers on Linux', () => {
  expect(filesOn({ system: 'linux', home: '/home/a', environment: {} })).toEqual({
    'claude-code': ['/home/a/.claude.json'],
    'claude-desktop': ['/home/a/.config/Claude/claude_desktop_config.json'],
    cursor: ['/home/a/.cursor/mcp.json'],
    vscode: ['/home/a/.config/Code/User/mcp.json'],
    windsurf: ['/home/a/.codeium/windsurf/mcp_config.json'],
    codex: ['/home/a/.codex/config.toml'],
    gemini: ['/home/a/.gemini/settings.json'],
    opencode: ['/home/a/.config/opencode/opencode.json', '/home/a/.config/opencode/opencode.jsonc'],
    zed: ['/home/a/.config/zed/settings.json'],
    cline: [
      '/home/a/.cline/data/settings/cline_mcp_settings.json',
      '/home/a/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    ],
  });
});

it('knows the places of desktop programs on macOS and Windows', () => {
  const mac = filesOn({ system: 'darwin', home: '/Users/a', environment: { XDG_CONFIG_HOME: '/x' } });
  const windows = filesOn({
    system: 'win32',
    home: 'C:\\Users\\a',
    environment: { APPDATA: 'D:\\Roaming' },
  });

  expect({ mac, windows }).toMatchObject({
    mac: {
      'claude-desktop': ['/Users/a/Library/Application Support/Claude/claude_desktop_config.json'],
      vscode: ['/Users/a/Library/Application Support/Code/User/mcp.json'],
      zed: ['/Users/a/.config/zed/settings.json'],
    },
    windows: {
      'claude-desktop': ['D:\\Roaming\\Claude\\claude_desktop_config.json'],
      vscode: ['D:\\Roaming\\Code\\User\\mcp.json'],
      cursor: ['C:\\Users\\a\\.cursor\\mcp.json'],
      zed: ['D:\\Roaming\\Zed\\settings.json'],
    },
  });
});

it('follows the variables with which a person moves a configuration', () => {
  const environment = {
    CLAUDE_CONFIG_DIR: '/c',
    CODEX_HOME: '/codex',
    XDG_CONFIG_HOME: '/x',
    CLINE_DIR: '/cline',
  };

  expect(filesOn({ system: 'linux', home: '/home/a', environment })).toMatchObject({
    'claude-code': ['/c/.claude.json'],
    codex: ['/codex/config.toml'],
    vscode: ['/x/Code/User/mcp.json'],
    opencode: ['/x/opencode/opencode.json', '/x/opencode/opencode.jsonc'],
    cline: ['/cline/data/settings/cline_mcp_settings.json', expect.any(String)],
  });
});
