import { win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateOf } from '../../../src/console/clients/state.js';
import { clients } from '../../../src/console/clients/table.js';
import { checkClaude, type ClaudeFacts } from '../../../src/console/doctor/claude.js';
import { checkClients } from '../../../src/console/doctor/clients.js';
import { checkGitBash, checkShims, checkVersionManager } from '../../../src/console/doctor/machine.js';
import { checkNetwork } from '../../../src/console/doctor/network.js';
import { checkPort } from '../../../src/console/doctor/port.js';
import { checkSettings } from '../../../src/console/doctor/settings.js';
import { checkSignIn } from '../../../src/console/doctor/sign-in.js';
import { checkSelfTest } from '../../../src/console/self-test/check.js';

const bundled: ClaudeFacts = {
  configured: undefined,
  found: { path: '/sdk/claude', by: 'bundle' },
  said: '2.1.325 (Claude Code)',
  backend: 'agent-sdk',
  isTested: true,
  tested: '2.1.315 or later',
};

const install =
  'Install Claude Code (https://code.claude.com/docs/en/setup), or set CLAUDE_CODE_PATH to its executable.';

it.each<[string, Partial<ClaudeFacts>, object]>([
  [
    'is bundled',
    {},
    { status: 'ok', message: 'Claude Code 2.1.325, bundled with the Agent SDK (/sdk/claude).' },
  ],
  [
    'was not found',
    { found: undefined },
    { status: 'fail', message: 'Claude Code was not found.', fix: install },
  ],
  [
    'could not be run',
    { found: { path: '/usr/bin/claude', by: 'path' }, said: undefined },
    { status: 'fail', message: '/usr/bin/claude (found on the PATH) could not be run.', fix: install },
  ],
  [
    'is silent',
    { said: '' },
    {
      status: 'fail',
      message: '/sdk/claude (bundled with the Agent SDK) is not Claude Code: --version printed nothing.',
      fix: install,
    },
  ],
  [
    'is too new',
    { said: '3.0.0 (Claude Code)', isTested: false },
    {
      status: 'warn',
      message:
        'Claude Code 3.0.0 (/sdk/claude, bundled with the Agent SDK) is outside of the tested range: 2.1.315 or later.',
      fix: 'Install another version of the npm package @anthropic-ai/claude-agent-sdk.',
    },
  ],
])('Claude Code %s', (_name, facts, finding) => {
  expect(checkClaude({ ...bundled, ...facts })).toEqual({ id: 'claude', ...finding });
});

it.each<[object, string]>([
  [
    { authMethod: 'api_key', apiProvider: 'firstParty', apiKeySource: 'ANTHROPIC_API_KEY' },
    'Signed in with an API key (ANTHROPIC_API_KEY): the account of the key pays by usage.',
  ],
  [
    { authMethod: 'api_key_helper', apiProvider: 'firstParty' },
    'Signed in with apiKeyHelper in the settings of Claude Code: the account of its key pays by usage.',
  ],
  [
    { authMethod: 'oauth_token', apiProvider: 'firstParty' },
    'Signed in with a token from an environment variable: its account pays.',
  ],
  [
    { authMethod: 'claude.ai', subscriptionType: 'pro', email: 'person@example.com' },
    'Signed in with a Claude subscription (pro), which pays.',
  ],
  [
    { authMethod: 'third_party', apiProvider: 'bedrock' },
    'Signed in with Amazon Bedrock: your AWS account pays.',
  ],
  [{ authMethod: 'a new one' }, 'Signed in with a new one.'],
])('the sign-in %j names who pays', (status, message) => {
  expect(checkSignIn({ loggedIn: true, ...status })).toEqual({ id: 'sign-in', status: 'ok', message });
});

it('the sign-in is unknown if Claude Code does not say', () => {
  expect([checkSignIn(undefined), checkSignIn({ loggedIn: 'yes' })]).toMatchObject([
    { status: 'warn', message: 'Claude Code did not say whether it is signed in.' },
    { status: 'warn' },
  ]);
});

it.each([
  ['own', 'ok', 'Port 80 on localhost: your service is running.'],
  ['forbidden', 'warn', 'Port 80 on localhost is reserved, so claude-code-mcp serve cannot use it.'],
  [
    'no-address',
    'warn',
    'localhost is not an address of this machine, so claude-code-mcp serve cannot use it.',
  ],
] as const)('a port can be %s', (use, status, message) => {
  expect(checkPort({ of: 'service', host: 'localhost', port: 80, use })).toMatchObject({ status, message });
});

it('settings of the server are named by their places, with their warnings', () => {
  const facts = { problem: undefined, warnings: ['PORT is ignored.'], sources: ['--port', '/c.json'] };

  expect(checkSettings(facts)).toEqual([
    { id: 'settings', status: 'ok', message: 'Settings of this server: set by --port, /c.json.' },
    {
      id: 'settings',
      status: 'warn',
      message: 'PORT is ignored.',
      fix: 'Correct or remove it. To see all values, run: claude-code-mcp config',
    },
  ]);
});

it('a machine without a known client gets the text to add by hand', () => {
  expect(checkClients([])).toEqual([
    {
      id: 'clients',
      status: 'warn',
      message: 'No client that this server knows was found.',
      fix: 'Run claude-code-mcp install --print, and add the text to the configuration of your client.',
    },
  ]);
});

it('a client that has turned its entry off does not start this server, and does not count for others', () => {
  const facts = (id: 'cline' | 'gemini', text: string) => {
    const { title } = clients[id];
    return { id, title, file: `/${id}.json`, state: stateOf(clients[id], text) };
  };

  const findings = checkClients([
    facts('cline', '{"mcpServers": {"agents": {"command": "claude-code-mcp", "disabled": true}}}'),
    facts('gemini', '{}'),
  ]);

  expect(findings).toEqual([
    {
      id: 'client-cline',
      status: 'warn',
      message: 'Cline does not start this server: "disabled" is true in its entry "agents" (/cline.json).',
      fix: 'Turn the server on in Cline, or change that value.',
    },
    {
      id: 'client-gemini',
      status: 'warn',
      message: 'Gemini CLI does not use this server yet.',
      fix: 'Run claude-code-mcp install gemini.',
    },
  ]);
});

it('an entry with settings that the server refuses is broken', () => {
  const state = stateOf(clients.cursor, '{"mcpServers": {"agents": {"command": "claude-code-mcp"}}}');
  const refusal = 'CLAUDE_CODE_MCP_APPROVALS=humans: must be one of auto, any, human';

  expect(checkClients([{ id: 'cursor', title: 'Cursor', file: '/c.json', state, refusal }])).toEqual([
    {
      id: 'client-cursor',
      status: 'fail',
      message:
        'Cursor cannot start this server: CLAUDE_CODE_MCP_APPROVALS=humans: must be one of auto, any, human.',
      fix: 'Correct the entry "agents" in /c.json, then restart Cursor.',
    },
  ]);
});

it.each([
  ['/home/ada/.nvm/versions/node/v22.1.0/bin/node', 'nvm'],
  ['C:\\Users\\Ada\\AppData\\Roaming\\nvm\\v22.1.0\\node.exe', 'nvm'],
  ['/home/ada/.local/state/fnm_multishells/1_2/bin/node', 'fnm'],
  ['/home/ada/.volta/tools/image/node/22.1.0/bin/node', 'Volta'],
  ['/home/ada/.asdf/installs/nodejs/22.1.0/bin/node', 'asdf'],
  ['/home/ada/.local/share/mise/installs/node/22/bin/node', 'mise'],
])('Node at %s comes from %s', (node, manager) => {
  expect(checkVersionManager({ node })).toMatchObject([
    {
      status: 'warn',
      message: `Node comes from ${manager} (${node}). Clients that start from the desktop may not find it.`,
    },
  ]);
});

it('Node of the system needs no advice', () => {
  expect(checkVersionManager({ node: '/usr/bin/node' })).toEqual([]);
});

describe('on Windows', () => {
  const machine = (
    files: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Parameters<typeof checkGitBash>[0] => ({
    platform: 'win32',
    environment,
    node: 'C:\\node.exe',
    exists: (path) => files.includes(win32.normalize(path)),
  });
  const bash = 'D:\\Tools\\Git\\bin\\bash.exe';

  it.each([
    ['beside git on the PATH', [bash], { Path: 'C:\\x;D:\\Tools\\Git\\cmd' }, bash],
    ['where it is installed', [bash], { ProgramFiles: 'D:\\Tools' }, bash],
    [
      'where the variable says',
      ['E:\\bash.exe'],
      { CLAUDE_CODE_GIT_BASH_PATH: 'E:\\bash.exe' },
      'E:\\bash.exe',
    ],
  ])('Git Bash is found %s', (_where, files, environment, found) => {
    expect(checkGitBash(machine(files, environment))).toEqual([
      { id: 'git-bash', status: 'ok', message: `Git Bash: ${found}` },
    ]);
  });

  const powershell = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';

  it('Git Bash or PowerShell is needed', () => {
    expect([
      ...checkGitBash(machine([])),
      ...checkGitBash(machine([powershell], { CLAUDE_CODE_USE_POWERSHELL_TOOL: '0' })),
      ...checkGitBash({ ...machine([]), platform: 'linux' }),
    ]).toMatchObject([
      {
        status: 'fail',
        message: 'Neither Git Bash nor PowerShell can be used. Claude Code needs one of them.',
      },
      {
        status: 'fail',
        message: 'Neither Git Bash nor PowerShell can be used. Claude Code needs one of them.',
      },
    ]);
  });

  it('PowerShell replaces Git Bash', () => {
    const warning = {
      status: 'warn',
      message: 'Git Bash was not found, so sessions run their commands in PowerShell.',
    };

    expect([
      ...checkGitBash(machine([powershell])),
      ...checkGitBash(machine(['D:\\ps7\\pwsh.exe'], { Path: 'C:\\x;D:\\ps7' })),
    ]).toMatchObject([warning, warning]);
  });

  it('a variable that names no shell is ignored', () => {
    const named = (path: string): Record<string, string> => ({
      CLAUDE_CODE_GIT_BASH_PATH: path,
      ProgramFiles: 'D:\\Tools',
    });

    expect([
      ...checkGitBash(machine([bash], named('E:\\bash.exe'))),
      ...checkGitBash(machine([bash, 'E:\\zsh.exe'], named('E:\\zsh.exe'))),
      ...checkGitBash(machine([powershell], named('E:\\bash.exe'))),
    ]).toMatchObject([
      {
        status: 'warn',
        message: `CLAUDE_CODE_GIT_BASH_PATH=E:\\bash.exe is not an existing bash.exe. It is ignored, and Claude Code uses ${bash}.`,
      },
      {
        status: 'warn',
        message: `CLAUDE_CODE_GIT_BASH_PATH=E:\\zsh.exe is not an existing bash.exe. It is ignored, and Claude Code uses ${bash}.`,
      },
      {
        status: 'warn',
        message: 'CLAUDE_CODE_GIT_BASH_PATH=E:\\bash.exe is not an existing bash.exe. It is ignored.',
      },
      {
        status: 'warn',
        message: 'Git Bash was not found, so sessions run their commands in PowerShell.',
      },
    ]);
  });

  it('a script of npm is no program', () => {
    const shim = 'C:\\npm\\claude.cmd';
    const npm = machine([shim], { PATH: 'C:\\npm' });

    expect(checkShims(npm, false)).toMatchObject([
      { status: 'fail', message: `${shim} is a script, which this server cannot start.` },
    ]);
    expect([...checkShims(npm, true), ...checkShims(machine([]), false)]).toEqual([]);
  });
});

it.each([
  [{ kind: 'passed', ms: 2_345 }, 'ok', /finished in 2\.3 s/],
  [{ kind: 'failed', problem: 'the server ended.' }, 'fail', /did not work: the server ended\.$/],
  [{ kind: 'skipped' }, 'warn', /was skipped/],
] as const)('the self-test has %j', (outcome, status, message) => {
  expect(checkSelfTest(outcome)).toMatchObject({ status, message: expect.stringMatching(message) });
});

it.each([
  [undefined, undefined, 'ok', 'api.example.com can be reached.'],
  ['proxy:3128', undefined, 'ok', 'The proxy for api.example.com, proxy:3128, can be reached.'],
  [
    'proxy:3128',
    'connection refused',
    'fail',
    /^The proxy for api\.example\.com, proxy:3128, cannot be reached/,
  ],
])('the network through %s has the problem %s', (proxy, problem, status, message) => {
  expect(checkNetwork({ api: 'api.example.com', proxy, problem })).toMatchObject({
    status,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
});

it('a claude on the PATH makes the bundled executable unnecessary', () => {
  expect(checkClaude({ ...bundled, unused: '/usr/bin/claude' })).toEqual({
    id: 'claude',
    status: 'ok',
    message:
      'Claude Code 2.1.325, bundled with the Agent SDK (/sdk/claude). It takes about 200 MB to download. npx --omit=optional leaves it out and uses your own /usr/bin/claude.',
  });
});
