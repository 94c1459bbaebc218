import { join } from 'node:path';
import type { InProcessScene } from './in-process.js';

/** What a caller asks for, and the words with which it is refused. */
export type Try = readonly [
  name: string,
  args: (scene: Pick<InProcessScene, 'sandbox'>) => Record<string, unknown>,
  code: 'PERMISSION_DENIED' | 'INVALID_ARGUMENT' | 'SESSION_NOT_FOUND',
  words: string | RegExp,
];

const trust = 'CLAUDE_CODE_MCP_CALLER_TRUST=full';
const denied = 'PERMISSION_DENIED';
const invalid = 'INVALID_ARGUMENT';
const plainAgent = { description: 'd', prompt: 'p' };

const advanced = (options: Record<string, unknown>) => () => ({ advanced: options });
const needsTrust = (name: string, options: Record<string, unknown>, leaf: string): Try => [
  name,
  advanced(options),
  denied,
  new RegExp(
    `^Error \\[PERMISSION_DENIED\\]: callers may not set ${leaf.replaceAll('.', '\\.')}: .*${trust}`,
  ),
];

const variables = [
  'BASH_ENV',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'NODE_OPTIONS',
  'PATH',
  'HOME',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_API_KEY',
  'CLAUDE_CONFIG_DIR',
  'CLAUDE_CODE_MCP_CALLER_TRUST',
  'CLAUDE_CODE_MCP_DEPTH',
  'GIT_SSH_COMMAND',
  'HTTPS_PROXY',
  'https_proxy',
  'IS_SANDBOX',
  'ld_preload',
  'ci',
].map((name) => needsTrust(`the variable ${name}`, { env: { [name]: 'x' } }, `env.${name}`));

const privateUrls = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://evil.localhost/',
  'http://a.example@127.0.0.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://metadata.google.internal/',
  'http://metadata/',
  'http://10.1.2.3/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
].flatMap((url) => (['http', 'sse'] as const).map((type) => serverAt(url, type)));

function serverAt(url: string, type: 'http' | 'sse'): Try {
  return needsTrust(
    `a server at ${url} over ${type}`,
    { mcpServers: { s: { type, url } } },
    'mcpServers.s.url',
  );
}

/** Less common ways to say "this machine", or a network that is nobody else's. */
export const rareUrlTries: readonly Try[] = [
  'http://[::127.0.0.1]/',
  'http://localhost../',
  'http://localhost.localdomain/',
  'http://router.home.arpa/',
].map((url) => serverAt(url, 'http'));

const far = { type: 'http', url: 'https://mcp.example.com/' };

const servers: readonly Try[] = [
  needsTrust('a server that is a program', { mcpServers: { s: { command: 'sh' } } }, 'mcpServers.s.command'),
  needsTrust(
    'a server that is a program and says so',
    { mcpServers: { s: { type: 'stdio', command: 'sh', args: ['-c', 'id'] } } },
    'mcpServers.s.command',
  ),
  needsTrust(
    'headers from a program',
    { mcpServers: { s: { ...far, headersHelper: 'id' } } },
    'mcpServers.s.headersHelper',
  ),
  needsTrust(
    'a header from the environment',
    { mcpServers: { s: { ...far, headers: { A: 'Bearer ${ANTHROPIC_API_KEY}' } } } },
    'mcpServers.s.headers.A',
  ),
  needsTrust(
    'a header with a default',
    { mcpServers: { s: { ...far, headers: { A: '${X:-${ANTHROPIC_API_KEY}}' } } } },
    'mcpServers.s.headers.A',
  ),
  needsTrust(
    'an address from the environment',
    { mcpServers: { s: { type: 'http', url: 'https://a.example/${ANTHROPIC_API_KEY}' } } },
    'mcpServers.s.url',
  ),
  [
    'a server that is a file',
    advanced({ mcpServers: { s: { type: 'http', url: 'file:///etc/passwd' } } }),
    invalid,
    'mcpServers',
  ],
  [
    'a server with both an address and a program',
    advanced({ mcpServers: { s: { ...far, command: 'sh' } } }),
    invalid,
    'mcpServers',
  ],
  [
    'a server inside the SDK',
    advanced({ mcpServers: { s: { type: 'sdk', name: 'x' } } }),
    invalid,
    'mcpServers',
  ],
];

const agents: readonly Try[] = [
  needsTrust(
    'an agent with a program as its server',
    { agents: { a: { ...plainAgent, mcpServers: [{ s: { command: 'sh' } }] } } },
    'agents.a.mcpServers.0.s.command',
  ),
  needsTrust(
    'an agent with a far server',
    { agents: { a: { ...plainAgent, mcpServers: [{ s: far }] } } },
    'agents.a.mcpServers.0.s.type',
  ),
  needsTrust(
    'an agent with a server by name',
    { agents: { a: { ...plainAgent, mcpServers: ['s'] } } },
    'agents.a.mcpServers.0',
  ),
  ...['acceptEdits', 'bypassPermissions', 'default'].map((permissionMode) =>
    needsTrust(
      `an agent in mode ${permissionMode}`,
      { agents: { a: { ...plainAgent, permissionMode } } },
      'agents.a.permissionMode',
    ),
  ),
  needsTrust(
    'an agent that types',
    { agents: { a: { ...plainAgent, initialPrompt: '/x' } } },
    'agents.a.initialPrompt',
  ),
  [
    'an agent with hooks',
    advanced({ agents: { a: { ...plainAgent, hooks: {} } } }),
    invalid,
    /unknown key "hooks"|hooks/,
  ],
  ['an agent whose name is a path', advanced({ agents: { '../a': plainAgent } }), invalid, 'agents'],
];

const sandboxes: readonly Try[] = [
  needsTrust(
    'a sandbox without files',
    { sandbox: { filesystem: { disabled: true } } },
    'sandbox.filesystem.disabled',
  ),
  needsTrust('a sandbox or none', { sandbox: { failIfUnavailable: false } }, 'sandbox.failIfUnavailable'),
  needsTrust(
    'a sandbox instead of approval',
    { sandbox: { autoAllowBashIfSandboxed: true } },
    'sandbox.autoAllowBashIfSandboxed',
  ),
  needsTrust(
    'a sandbox with a door',
    { sandbox: { allowUnsandboxedCommands: true } },
    'sandbox.allowUnsandboxedCommands',
  ),
  needsTrust('a sandbox for some', { sandbox: { excludedCommands: ['sh'] } }, 'sandbox.excludedCommands.0'),
  needsTrust(
    'a sandbox with a network',
    { sandbox: { network: { allowedDomains: ['a.example'] } } },
    'sandbox.network.allowedDomains.0',
  ),
];

const keys: readonly Try[] = [
  ...['dangerouslySkipPermissions', 'settings', 'hooks', 'plugins', 'extraArgs', 'constructor'].flatMap(
    (key): Try[] => [
      [`the key ${key} at the top`, () => ({ [key]: {} }), invalid, `unknown key "${key}"`],
      [`the key ${key} in advanced`, advanced({ [key]: {} }), invalid, `unknown key "${key}"`],
    ],
  ),
  ['__proto__ in advanced', () => ({ advanced: withProto({}) }), invalid, '__proto__'],
  ['__proto__ in a server', advanced({ mcpServers: { s: withProto(far) } }), invalid, 'mcpServers'],
  ['__proto__ in an agent', advanced({ agents: { a: withProto(plainAgent) } }), invalid, '__proto__'],
  ['__proto__ in the sandbox', advanced({ sandbox: withProto({}) }), invalid, '__proto__'],
];

/** Where any name goes, this one does not. */
export const protoTries: readonly Try[] = [
  ['__proto__ in env', advanced({ env: withProto({}) }), invalid, '__proto__'],
  ['__proto__ in mcpServers', advanced({ mcpServers: withProto({}) }), invalid, '__proto__'],
  ['__proto__ in agents', advanced({ agents: withProto({}) }), invalid, '__proto__'],
];

const flags: readonly Try[] = [
  ...['model', 'title'].map((key): Try => [
    `${key} as a flag`,
    () => ({ [key]: '--bare' }),
    invalid,
    `${key} must not start with "-"`,
  ]),
  ['fallbackModel as a flag', advanced({ fallbackModel: '-x' }), invalid, 'must not start with "-"'],
  ['a tool as a flag', advanced({ tools: ['--bare'] }), invalid, 'must not start with "-"'],
  ['a skill as a flag', advanced({ skills: ['--bare'] }), invalid, /skills/],
  ['an agent as a flag', advanced({ agent: '--bare' }), invalid, /agent/],
  ['two rules as one', () => ({ allowedTools: ['Read(x),Bash'] }), invalid, 'must be one tool or one rule'],
  [
    'a command that begins with a dash',
    advanced({ mcpServers: { s: { command: '--inspect' } } }),
    invalid,
    /mcpServers/,
  ],
];

const others: readonly Try[] = [
  [
    'no approval at all',
    () => ({ permissionMode: 'bypassPermissions' }),
    denied,
    'permissionMode "bypassPermissions"',
  ],
  ['a mode of another name', () => ({ permissionMode: 'yolo' }), invalid, 'permissionMode must be '],
  ['no settings', advanced({ settingSources: [] }), denied, 'settingSources must include "user"'],
  [
    'only settings of the repository',
    advanced({ settingSources: ['project', 'local'] }),
    denied,
    'settingSources must include "user"',
  ],
  ['other settings', advanced({ settingSources: ['user', 'flag'] }), invalid, 'settingSources'],
  needsTrust('commands in prompts', { slashCommands: true }, 'slashCommands'),
  needsTrust('another executable', { pathToClaudeCodeExecutable: '/bin/sh' }, 'pathToClaudeCodeExecutable'),
  needsTrust('debug output', { debug: true }, 'debug'),
  needsTrust('debug output to a file', { debugFile: '/tmp/x' }, 'debugFile'),
  [
    "the folder of this server's own files",
    ({ sandbox }) => ({ cwd: sandbox.stateDir }),
    denied,
    'CLAUDE_CODE_MCP_STATE_DIR',
  ],
  [
    'the folder of the credentials',
    ({ sandbox }) => ({ cwd: sandbox.configDir }),
    denied,
    'where Claude Code keeps its settings and credentials',
  ],
  [
    'the home folder by a detour',
    ({ sandbox }) => ({ cwd: `${sandbox.project}/../home/.claude/..` }),
    denied,
    'the home folder',
  ],
  [
    'the home folder by a link',
    ({ sandbox }) => ({ advanced: { additionalDirectories: [join(sandbox.project, 'link-home')] } }),
    denied,
    /additionalDirectories .* the home folder/,
  ],
];

/** At least forty ways in which a start could be more than a caller may have. */
export const startTries: readonly Try[] = [
  ...variables,
  ...privateUrls,
  ...servers,
  ...agents,
  ...sandboxes,
  ...keys,
  ...flags,
  ...others,
];

/** A key of its own that happens to be called `__proto__`, as JSON can have. */
function withProto(rest: object): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify({ ...rest, PLACEHOLDER: { permissionMode: 'bypassPermissions' } }).replace(
      'PLACEHOLDER',
      '__proto__',
    ),
  ) as Record<string, unknown>;
}
