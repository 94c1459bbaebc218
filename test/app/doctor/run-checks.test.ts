import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runChecks } from '../../../src/app/doctor/run-checks.js';
import { ConfigError } from '../../../src/config/config-error.js';
import { loadSettings, type Loaded } from '../../../src/config/load.js';
import type { Settings } from '../../../src/config/settings.js';
import type { Finding } from '../../../src/console/doctor/check.js';
import { resolveClaudeHome } from '../../../src/history/claude-home.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

interface Changes {
  /** Files in the folder of the test, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
  readonly environment?: Readonly<Record<string, string>>;
  /** The API of sessions. Nothing listens on the usual one. */
  readonly api?: string;
  /** The folder of the terminal. */
  readonly cwd?: string;
  readonly loaded?: Loaded | ConfigError;
  /** What the fake Claude Code does. */
  readonly claude?: string;
}

const signedIn = says({ loggedIn: true, authMethod: 'claude.ai', subscriptionType: 'max' });
const current = 'echo "2.1.325 (Claude Code)"';

function says(status: object): string {
  return `echo '${JSON.stringify(status)}'`;
}

/** A Claude Code that answers these two questions. */
function answering(version: string, status: string): string {
  return `case "$1" in --version) ${version};; auth) ${status};; esac`;
}

/** All findings, or those with this id, on a machine without problems, except for the changes. */
async function find(
  id: string,
  changes: (root: string) => Changes = () => ({}),
): Promise<readonly Finding[]> {
  const root = temporaryFolder();
  const { files = {}, settings, environment = {}, loaded, claude, api } = changes(root);
  const [home, path] = [join(root, 'home'), join(root, 'bin', 'claude')];
  const cwd = join(root, changes(root).cwd ?? 'project');
  const all = {
    'bin/claude': `#!/bin/sh\n${claude ?? answering(current, signedIn)}\n`,
    'home/.keep': '',
    'project/.keep': '',
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  chmodSync(path, 0o755);
  const defaults = loadSettings({}, {});
  const sessionEnvironment = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    ANTHROPIC_BASE_URL: api ?? 'http://127.0.0.1:9',
  };
  const sections = await runChecks({
    surroundings: {
      settings: { ...defaults.settings, claudePath: path, port: 0, ...settings },
      environment: { ...sessionEnvironment, ...environment },
      sessionEnvironment,
      home,
      cwd,
      stateDir: settings?.stateDir ?? join(root, 'state'),
      claudeHome: { ...resolveClaudeHome({ home }), managedDir: join(root, 'managed') },
    },
    loaded: loaded ?? defaults,
    program: '/nowhere',
    isQuick: true,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  return sections
    .flatMap(({ findings }) => findings)
    .filter((finding) => id === 'all' || finding.id === id)
    .map((finding) => JSON.parse(JSON.stringify(finding).replaceAll(root, '')) as Finding);
}

async function listening(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe.skipIf(process.platform === 'win32')('doctor', () => {
  it('finds nothing wrong', async () => {
    const files = {
      'home/.cursor/mcp.json': '{"mcpServers": {"agents": {"command": "claude-code-mcp"}}}',
      'home/.claude/settings.json': '{}',
      'home/.local/bin/claude': '',
    };
    const ok = (id: string, message: string): Finding => ({ id, status: 'ok', message });
    const port = await listening();
    const api = `http://127.0.0.1:${port}`;

    expect(await find('all', () => ({ files, api }))).toEqual([
      ok('claude', 'Claude Code 2.1.325, set by CLAUDE_CODE_PATH (/bin/claude).'),
      ok('sign-in', 'Signed in with a Claude subscription (max), which pays.'),
      ok('nested', 'This terminal is not inside a session of Claude Code.'),
      ok('node', `Node ${process.version}`),
      ok('network', `127.0.0.1:${port} can be reached.`),
      ok('state-folder', 'Sessions are saved in /state.'),
      ok('port', 'Port 0 on 127.0.0.1 is free for claude-code-mcp serve.'),
      ok('settings', 'Settings of this server: all defaults.'),
      ok('claude-settings', 'Settings of Claude Code: /home/.claude/settings.json.'),
      ok('trust', '/project is not trusted, and has no project files to skip.'),
      ok('client-claude-code', 'Claude Code does not use this server, but another client does.'),
      ok('client-cursor', 'Cursor starts this server as "agents" (/home/.cursor/mcp.json).'),
    ]);
  });

  it('explains that there is no binary', async () => {
    const settings = { claudePath: 'claude-of-nowhere' };

    expect(await find('claude', () => ({ settings }))).toEqual([
      {
        id: 'claude',
        status: 'fail',
        message: 'CLAUDE_CODE_PATH=claude-of-nowhere does not lead to an executable.',
        fix: 'Set it to the absolute path of Claude Code, or remove it to use the bundled one.',
      },
    ]);
    expect(await find('sign-in', () => ({ settings }))).toEqual([]);
  });

  it('explains that the binary is another program', async () => {
    expect(await find('claude', () => ({ claude: 'echo "claude 1.2.3 of somebody else"' }))).toEqual([
      {
        id: 'claude',
        status: 'fail',
        message:
          '/bin/claude (set by CLAUDE_CODE_PATH) is not Claude Code: --version printed "claude 1.2.3 of somebody else".',
        fix: 'Set CLAUDE_CODE_PATH to the executable of Claude Code, or remove it.',
      },
    ]);
  });

  it.each([
    ['cli', 'fail'],
    ['agent-sdk', 'warn'],
  ] as const)('explains that the version is too old for the backend %s', async (backend, status) => {
    const claude = answering('echo "2.0.1 (Claude Code)"', signedIn);

    expect(await find('claude', () => ({ claude, settings: { backend } }))).toEqual([
      {
        id: 'claude',
        status,
        message:
          'Claude Code 2.0.1 (/bin/claude, set by CLAUDE_CODE_PATH) is outside of the tested range: 2.1.315 or later, below 3.',
        fix: 'Run "/bin/claude update", or set CLAUDE_CODE_PATH to a tested version.',
      },
    ]);
  });

  it('explains that Claude Code is not signed in', async () => {
    const claude = answering(current, `${says({ loggedIn: false, authMethod: 'none' })}; exit 1`);

    expect(await find('sign-in', () => ({ claude }))).toEqual([
      {
        id: 'sign-in',
        status: 'fail',
        message: 'Claude Code is not signed in.',
        fix: 'Run claude-code-mcp login, or set ANTHROPIC_API_KEY in the environment of the server.',
      },
    ]);
  });

  it('explains which settings file is broken, unless no session loads it', async () => {
    const files = { 'home/.claude/settings.json': '{"hooks": ', 'project/.claude/settings.json': '{' };

    expect(await find('claude-settings', () => ({ files }))).toEqual([
      {
        id: 'claude-settings',
        status: 'fail',
        message: '/home/.claude/settings.json is broken: Unexpected end of JSON input.',
        fix: 'Correct the file. Until then Claude Code ignores it, or that part of it.',
      },
    ]);
  });

  it('explains which setting of the server is wrong', async () => {
    const loaded = new ConfigError('CLAUDE_CODE_MCP_MAX_SESSIONS=many: must be a number');

    expect(await find('settings', () => ({ loaded }))).toEqual([
      {
        id: 'settings',
        status: 'fail',
        message: 'A setting of this server is invalid: CLAUDE_CODE_MCP_MAX_SESSIONS=many: must be a number.',
        fix: 'Correct this value. Until then the server does not start.',
      },
    ]);
  });

  it.each(['CLAUDE_CODE_DEFAULT_CWD', 'CLAUDE_CODE_MCP_ROOTS', 'CLAUDE_CODE_MCP_TRUSTED_ROOTS'])(
    'warns of a folder in %s that does not exist',
    async (name) => {
      const loaded = loadSettings({}, { [name]: '/nonexistent/project' });

      expect(await find('settings', () => ({ loaded }))).toEqual([
        { id: 'settings', status: 'ok', message: `Settings of this server: set by ${name}.` },
        {
          id: 'settings',
          status: 'warn',
          message: `The folder /nonexistent/project of ${name} does not exist.`,
          fix: 'Correct or remove it. To see all values, run: claude-code-mcp config',
        },
      ]);
    },
  );

  it.each([
    [
      { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' },
      {
        status: 'warn',
        message:
          'This terminal is inside Claude Code (CLAUDECODE, CLAUDE_CODE_ENTRYPOINT). With these variables, claude may refuse to start.',
        fix: 'Sessions of this server do not inherit them. To run claude yourself, use a terminal of your own.',
      },
    ],
    [
      { CLAUDE_CODE_MCP_DEPTH: '1.abc' },
      {
        status: 'fail',
        message:
          'This terminal is inside a session (CLAUDE_CODE_MCP_DEPTH=1), so a server that starts here offers no tools.',
        fix: 'Use a terminal of your own, or set CLAUDE_CODE_MCP_MAX_DEPTH=1 to let sessions start sessions.',
      },
    ],
  ])('explains a nested launch: %j', async (environment, finding) => {
    expect(await find('nested', () => ({ environment }))).toEqual([{ id: 'nested', ...finding }]);
  });

  it('explains what sessions skip in an untrusted folder, and what they load in a trusted one', async () => {
    const files = {
      'project/CLAUDE.md': '',
      'project/.mcp.json': '{"mcpServers": {"a": {}}}',
      'project/.claude/skills/x': '',
    };
    const trusted = (root: string): Changes => ({
      files: {
        ...files,
        'home/.claude.json': JSON.stringify({
          projects: { [join(root, 'project')]: { hasTrustDialogAccepted: true } },
        }),
      },
    });

    expect([...(await find('trust', () => ({ files }))), ...(await find('trust', trusted))]).toEqual([
      {
        id: 'trust',
        status: 'warn',
        message: '/project is not trusted, so sessions skip CLAUDE.md, .claude/skills, .mcp.json.',
        fix: 'If you trust these files, run: claude-code-mcp trust .',
      },
      {
        id: 'trust',
        status: 'ok',
        message: '/project is trusted. Sessions load CLAUDE.md, .claude/skills, .mcp.json.',
      },
    ]);
  });

  it('explains that a folder above keeps a trusted one from being loaded', async () => {
    const found = await find('trust', (root) => ({
      files: {
        '.mcp.json': '{}',
        'project/CLAUDE.md': '',
        'home/.claude.json': JSON.stringify({
          projects: { [join(root, 'project')]: { hasTrustDialogAccepted: true } },
        }),
      },
    }));

    expect(found).toMatchObject([
      { status: 'warn', fix: expect.stringMatching(/^If you trust it, run: claude-code-mcp trust /) },
    ]);
  });

  it('explains that the state folder cannot be written', async () => {
    const [finding] = await find('state-folder', (root) => ({
      files: { 'a-file': '' },
      settings: { stateDir: join(root, 'a-file', 'state') },
    }));

    expect(finding).toEqual({
      id: 'state-folder',
      status: 'fail',
      message: expect.stringMatching(
        /^Sessions cannot be saved: the state folder cannot be used: \/a-file\/state cannot be created \(ENOTDIR/,
      ),
      fix: 'Make /a-file/state a folder that belongs to you and that only you can write to (chmod go-w), or set CLAUDE_CODE_MCP_STATE_DIR to another folder.',
    });
  });

  it('explains that the API cannot be reached', async () => {
    expect(await find('network')).toEqual([
      {
        id: 'network',
        status: 'fail',
        message:
          '127.0.0.1:9 cannot be reached: connection refused. Claude Code then starts late or not at all.',
        fix: 'Check your network, DNS and firewall. Behind a proxy, set HTTPS_PROXY in the environment of the server.',
      },
    ]);
  });

  it('explains that sessions cannot work in the home folder, unless the operator has listed it', async () => {
    const inHome: Changes = { cwd: 'home' };

    expect(await find('folder', () => inHome)).toEqual([
      {
        id: 'folder',
        status: 'warn',
        message: 'Sessions cannot work in /home, because it contains your whole home folder.',
        fix: 'Run doctor in a project. For calls without cwd, set CLAUDE_CODE_DEFAULT_CWD to a project.',
      },
    ]);
    const listed = (root: string): Changes => ({ ...inHome, settings: { roots: [join(root, 'home')] } });
    expect(await find('trust', listed)).toMatchObject([{ status: 'ok' }]);
  });

  it('looks at the default folder of sessions', async () => {
    const files = { 'app/CLAUDE.md': 'Be brief.' };

    expect(
      await find('trust', (root) => ({ files, settings: { defaultCwd: join(root, 'app') } })),
    ).toMatchObject([{ message: '/app is not trusted, so sessions skip CLAUDE.md.' }]);
  });

  it('explains that the port is in use', async () => {
    const port = await listening();
    const web = `127.0.0.1:${port}`;

    expect(await find('page-port', () => ({ settings: { web } }))).toMatchObject([
      { status: 'warn', fix: 'Stop that program, or choose another port with CLAUDE_CODE_MCP_WEB.' },
    ]);
    expect(await find('port', () => ({ settings: { port } }))).toEqual([
      {
        id: 'port',
        status: 'warn',
        message: `Port ${port} on 127.0.0.1 is in use by another program, so claude-code-mcp serve cannot use it.`,
        fix: 'Stop that program, or choose another port with CLAUDE_CODE_MCP_PORT.',
      },
    ]);
  });

  it('explains that the configuration of a client is broken', async () => {
    const files = { 'home/.cursor/mcp.json': '{\n  "mcpServers": {\n', 'home/.gemini/settings.json': '{}' };

    expect(await find('client-cursor', () => ({ files }))).toEqual([
      {
        id: 'client-cursor',
        status: 'fail',
        message: 'Cursor cannot read /home/.cursor/mcp.json: Close brace expected in line 3.',
        fix: 'Correct the file, then run claude-code-mcp install cursor.',
      },
    ]);
    expect(await find('client-gemini', () => ({ files }))).toEqual([
      {
        id: 'client-gemini',
        status: 'warn',
        message: 'Gemini CLI does not use this server yet.',
        fix: 'Run claude-code-mcp install gemini.',
      },
    ]);
  });

  it('explains that a client starts a program that is gone', async () => {
    const entry = { command: 'node', args: ['/gone/dist/claude-code-mcp.js'] };
    const files = { 'home/.cursor/mcp.json': JSON.stringify({ mcpServers: { agents: entry } }) };

    expect(await find('client-cursor', () => ({ files }))).toEqual([
      {
        id: 'client-cursor',
        status: 'fail',
        message:
          'Cursor would start /gone/dist/claude-code-mcp.js, which does not exist (/home/.cursor/mcp.json).',
        fix: 'Run claude-code-mcp install cursor to replace the entry.',
      },
    ]);
  });
});
