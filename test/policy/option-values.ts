import type { sessionOptions } from '../../src/core/options/index.js';

export type Option = keyof typeof sessionOptions;

interface Values {
  /** Defaults, and values that give a caller nothing it does not have anyway. */
  readonly harmless: readonly unknown[];
  /** Values that only a trusted caller may set. */
  readonly harmful?: readonly unknown[];
}

const agent = { description: 'd', prompt: 'p' };

/** An option without a row does not compile. */
export const optionValues: Readonly<Record<Option, Values>> = {
  cwd: { harmless: ['/srv/repo'] },
  additionalDirectories: { harmless: [[], ['/srv/other']] },
  settingSources: {
    harmless: [['user'], ['user', 'project', 'local']],
    harmful: [[], ['project']],
  },
  model: { harmless: ['sonnet'] },
  systemPrompt: { harmless: ['', { type: 'preset', preset: 'claude_code' }] },
  title: { harmless: ['Birds'] },
  effort: { harmless: ['medium'] },
  thinking: { harmless: [{ type: 'adaptive' }, { type: 'disabled' }] },
  fallbackModel: { harmless: ['haiku'] },
  betas: { harmless: [[]] },
  planModeInstructions: { harmless: ['Look first.'] },
  permissionMode: { harmless: ['default', 'plan', 'dontAsk'], harmful: ['bypassPermissions'] },
  allowedTools: { harmless: [[], ['Read']] },
  disallowedTools: { harmless: [[], ['Bash']] },
  tools: { harmless: [{ type: 'preset', preset: 'claude_code' }, [], ['Read']] },
  skills: { harmless: [[]] },
  slashCommands: { harmless: [false], harmful: [true] },
  maxTurns: { harmless: [10_000] },
  maxBudgetUsd: { harmless: [1_000] },
  permissionRequestTimeoutMs: { harmless: [1_000, 300_000, 86_400_000] },
  timeoutMs: { harmless: [86_400_000] },
  sessionInitTimeoutMs: { harmless: [10_000] },
  outputFormat: { harmless: [{ type: 'json_schema', schema: {} }] },
  includePartialMessages: { harmless: [false, true] },
  forwardSubagentText: { harmless: [false, true] },
  agents: {
    harmless: [{}, { a: agent }, { a: { ...agent, mcpServers: [] } }],
    harmful: [
      { a: { ...agent, mcpServers: ['s'] } },
      { a: { ...agent, permissionMode: 'acceptEdits' } },
      { a: { ...agent, initialPrompt: '/x' } },
    ],
  },
  agent: { harmless: ['reviewer'] },
  mcpServers: {
    harmless: [{}, { s: { type: 'http', url: 'https://a.example/' } }],
    harmful: [{ s: { command: 'x' } }, { s: { type: 'http', url: 'http://127.0.0.1/' } }],
  },
  strictMcpConfig: { harmless: [false, true] },
  env: {
    harmless: [
      {},
      { CI: '1' },
      { CI: '', NODE_ENV: 'pre-release_2.0', MAX_THINKING_TOKENS: '-1' },
      { TZ: 'America/Port-au-Prince' },
      { TZ: '<+0330>-3:30' },
      { TZ: 'EST5EDT,M3.2.0/2,M11.1.0/2' },
    ],
    harmful: [
      { LD_PRELOAD: 'x' },
      { CI: '1', PATH: '/x' },
      // Programs load `config/$NODE_ENV.js`, and a Makefile puts the value into a command.
      { NODE_ENV: '../../x' },
      { NODE_ENV: '..\\x' },
      { NODE_ENV: 'test --config=x' },
      { NODE_ENV: '--config=x' },
      { CI: '$(x)' },
      { FORCE_COLOR: '1; x' },
      { NO_COLOR: '1\nx' },
      { BASH_MAX_TIMEOUT_MS: '`x`' },
      // The name of a file, which the C library reads.
      { TZ: '/x' },
      { TZ: ':x' },
      { TZ: 'x/../../x' },
      { TZ: './x' },
      { TZ: '.x' },
      { TZ: '<x' },
      { TZ: '<./x>' },
    ],
  },
  sandbox: {
    harmless: [
      {},
      { enabled: false },
      { enabled: true },
      { network: {} },
      { network: { deniedDomains: [], allowedDomains: [] } },
      { autoAllowBashIfSandboxed: false, filesystem: { denyRead: ['/srv'] } },
    ],
    harmful: [
      { autoAllowBashIfSandboxed: true },
      { enabled: true, excludedCommands: ['git'] },
      { network: { tlsTerminate: {} } },
    ],
  },
  pathToClaudeCodeExecutable: { harmless: [], harmful: ['/x/claude'] },
  debug: { harmless: [false], harmful: [true] },
  debugFile: { harmless: [], harmful: ['/x/debug.log'] },
  persistSession: { harmless: [true, false] },
  enableFileCheckpointing: { harmless: [false, true] },
};
