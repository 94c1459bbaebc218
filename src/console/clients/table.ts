/** Clients that `install` can configure: where each keeps its MCP servers, and what an entry looks like. */
import { posix, win32 } from 'node:path';
import type { Client, Launch, Machine } from './client.js';

export const clients = {
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    files: (machine) => [inFolder(machine, variable(machine, 'CLAUDE_CONFIG_DIR'), '.claude.json')],
    // Its command. This server starts a Claude Code of its own, which writes to `~/.claude.json` and `~/.claude` too.
    traces: (machine) => [
      ...onSearchPath(machine, 'claude', 'claude.exe', 'claude.cmd'),
      inHome(machine, '.local', 'bin', 'claude'),
      inHome(machine, '.local', 'bin', 'claude.exe'),
      inHome(machine, '.claude', 'local', 'claude'),
    ],
    keys: [['mcpServers']],
    entry: (launch) => ({ type: 'stdio', ...plain(launch) }),
    afterwards: 'Restart Claude Code.',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    files: (machine) => [inAppData(machine, 'Claude', 'claude_desktop_config.json')],
    traces: (machine) => [inAppData(machine, 'Claude')],
    keys: [['mcpServers']],
    entry: plain,
    afterwards: 'Quit Claude Desktop completely and start it again.',
  },
  cursor: {
    title: 'Cursor',
    format: 'jsonc',
    files: (machine) => [inHome(machine, '.cursor', 'mcp.json')],
    traces: (machine) => [inHome(machine, '.cursor')],
    keys: [['mcpServers']],
    entry: plain,
    afterwards: 'Turn the server on in the MCP settings of Cursor, if it is off.',
  },
  vscode: {
    title: 'VS Code',
    format: 'jsonc',
    files: (machine) => [inAppData(machine, 'Code', 'User', 'mcp.json')],
    traces: (machine) => [inAppData(machine, 'Code', 'User')],
    keys: [['servers']],
    entry: (launch) => ({ type: 'stdio', ...plain(launch) }),
    afterwards: 'Run "MCP: List Servers" in VS Code and start the server.',
  },
  windsurf: {
    title: 'Windsurf',
    format: 'jsonc',
    files: (machine) => [inHome(machine, '.codeium', 'windsurf', 'mcp_config.json')],
    traces: (machine) => [inHome(machine, '.codeium', 'windsurf')],
    keys: [['mcpServers']],
    entry: plain,
    afterwards: 'Refresh the MCP servers in Windsurf.',
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    files: (machine) => [inCodexHome(machine, 'config.toml')],
    traces: (machine) => [inCodexHome(machine)],
    keys: [['mcp_servers']],
    entry: (launch) => ({
      ...plain(launch),
      // Otherwise Codex continues without our tools, and the model does the work itself.
      required: true,
      // Otherwise Codex refuses each tool that changes something, except without a sandbox. Our own approvals remain.
      default_tools_approval_mode: 'approve',
    }),
    afterwards: 'Restart Codex.',
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'jsonc',
    files: (machine) => [inHome(machine, '.gemini', 'settings.json')],
    traces: (machine) => [inHome(machine, '.gemini')],
    keys: [['mcpServers']],
    entry: plain,
    afterwards: 'Restart Gemini CLI.',
  },
  opencode: {
    title: 'OpenCode',
    format: 'jsonc',
    files: (machine) => [
      inConfig(machine, 'opencode', 'opencode.json'),
      inConfig(machine, 'opencode', 'opencode.jsonc'),
    ],
    traces: (machine) => [inConfig(machine, 'opencode')],
    // Version 2 has its own key, and reads that of version 1 as well.
    keys: [['mcp'], ['mcp', 'servers']],
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args] }),
    afterwards: 'Restart OpenCode.',
  },
  zed: {
    title: 'Zed',
    format: 'jsonc',
    files: (machine) => [inZed(machine, 'settings.json')],
    traces: (machine) => [inZed(machine)],
    keys: [['context_servers']],
    entry: plain,
    afterwards: 'Zed reads the file at once.',
  },
  cline: {
    title: 'Cline',
    format: 'jsonc',
    files: (machine) => [
      inCline(machine, 'data', 'settings', 'cline_mcp_settings.json'),
      // Versions before the extension and the command shared their settings.
      inAppData(
        machine,
        'Code',
        'User',
        'globalStorage',
        clineExtension,
        'settings',
        'cline_mcp_settings.json',
      ),
    ],
    traces: (machine) => [
      inCline(machine),
      inAppData(machine, 'Code', 'User', 'globalStorage', clineExtension),
    ],
    keys: [['mcpServers']],
    entry: plain,
    afterwards: 'Cline reads the file at once.',
  },
} as const satisfies Readonly<Record<string, Client>>;

export type ClientId = keyof typeof clients;

export const clientIds = Object.keys(clients) as ClientId[];

const clineExtension = 'saoudrizwan.claude-dev';

function plain({ command, args }: Launch): { command: string; args: readonly string[] } {
  return { command, args };
}

function variable({ environment }: Machine, name: string): string | undefined {
  return environment[name] === '' ? undefined : environment[name];
}

function inFolder(machine: Machine, folder: string | undefined, ...names: string[]): string {
  const paths = machine.system === 'win32' ? win32 : posix;
  return paths.join(folder ?? machine.home, ...names);
}

function inHome(machine: Machine, ...names: string[]): string {
  return inFolder(machine, undefined, ...names);
}

/** A program of these names in each folder of the search path, except for those that npm adds for a package. */
function onSearchPath(machine: Machine, ...names: readonly string[]): string[] {
  const paths = machine.system === 'win32' ? win32 : posix;
  return (variable(machine, 'PATH') ?? '')
    .split(paths.delimiter)
    .filter((folder) => paths.isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .flatMap((folder) => names.map((name) => paths.join(folder, name)));
}

/** The folder of the system for settings of desktop programs. */
function inAppData(machine: Machine, ...names: string[]): string {
  switch (machine.system) {
    case 'darwin':
      return inHome(machine, 'Library', 'Application Support', ...names);
    case 'win32':
      return inFolder(
        machine,
        variable(machine, 'APPDATA') ?? inHome(machine, 'AppData', 'Roaming'),
        ...names,
      );
    case 'linux':
      return inConfig(machine, ...names);
  }
}

function inConfig(machine: Machine, ...names: string[]): string {
  return inFolder(machine, variable(machine, 'XDG_CONFIG_HOME') ?? inHome(machine, '.config'), ...names);
}

function inCodexHome(machine: Machine, ...names: string[]): string {
  return inFolder(machine, variable(machine, 'CODEX_HOME') ?? inHome(machine, '.codex'), ...names);
}

function inCline(machine: Machine, ...names: string[]): string {
  return inFolder(machine, variable(machine, 'CLINE_DIR') ?? inHome(machine, '.cline'), ...names);
}

function inZed(machine: Machine, ...names: string[]): string {
  if (machine.system === 'win32') return inAppData(machine, 'Zed', ...names);
  return machine.system === 'darwin'
    ? inHome(machine, '.config', 'zed', ...names)
    : inConfig(machine, 'zed', ...names);
}
