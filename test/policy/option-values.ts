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
  env: { harmless: [{}, { CI: '1' }], harmful: [{ LD_PRELOAD: 'x' }, { CI: '1', PATH: '/x' }] },
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
