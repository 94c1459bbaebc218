import { expect, it } from 'vitest';
import { sessionOptions } from '../../src/core/options/index.js';
import type { OptionSpec } from '../../src/core/options/define.js';

const specs: [string, OptionSpec][] = Object.entries(sessionOptions);

it('documents every option in sentences', () => {
  for (const [, { long }] of specs) expect(long).toMatch(/^[A-Z`].*\.$/);
});

it('sends descriptions of at most eight advanced options', () => {
  const wordy = specs.filter(([, { place, words }]) => place === 'advanced' && words !== undefined);

  expect(wordy.length).toBeLessThanOrEqual(8);
});

it.each([
  ['model', '--dangerously-skip-permissions'],
  ['title', '-p'],
  ['allowedTools', ['Read', '--dangerously-skip-permissions']],
  ['disallowedTools', ['-x']],
  ['tools', ['-x']],
  ['maxTurns', 0],
  ['maxTurns', 1.5],
  ['maxBudgetUsd', 0],
  ['permissionRequestTimeoutMs', 0],
  ['timeoutMs', 0],
  ['permissionMode', 'yolo'],
  ['effort', 'turbo'],
  ['settingSources', ['managed']],
  ['systemPrompt', { type: 'preset', preset: 'claude_code', excludeDynamicSections: true }],
  ['cwd', ''],
] as const)('refuses %s = %j', (key, value) => {
  expect(sessionOptions[key].schema.safeParse(value).success).toBe(false);
});

it.each<[Readonly<Record<string, string>>, string]>([
  [{ 'X-Key\r\nHost': 'a' }, 'contains an invalid header name'],
  [{ 'X Key': 'a' }, 'contains an invalid header name'],
  [{ 'X-Key': 'a\r\nHost: b' }, 'has a value with a line break or another control character'],
  [{ 'X-Key': 'a\0' }, 'has a value with a line break or another control character'],
])('refuses headers that would be others in a request: %j', (headers, problem) => {
  const server = { type: 'http', url: 'https://example.com/mcp', headers };

  const { error } = sessionOptions.mcpServers.schema.safeParse({ docs: server });

  expect(JSON.stringify(error?.issues)).toContain(problem);
});

it('takes headers with variables, tabs and every character of a name', () => {
  const headers = { "X!#$%&'*+-.^_`|~9": 'Bearer ${TOKEN}\tä' };
  const server = { type: 'http', url: 'https://example.com/mcp', headers };

  expect(sessionOptions.mcpServers.schema.safeParse({ docs: server }).success).toBe(true);
});

it.each([
  ['allowedTools', ['Bash(npm test)', 'Read']],
  ['tools', []],
  ['systemPrompt', 'You are terse.'],
  ['systemPrompt', { type: 'preset', preset: 'claude_code', append: 'Be terse.' }],
  ['settingSources', ['user', 'project']],
  ['maxBudgetUsd', 0.001],
] as const)('accepts %s = %j', (key, value) => {
  expect(sessionOptions[key].schema.parse(value)).toEqual(value);
});
