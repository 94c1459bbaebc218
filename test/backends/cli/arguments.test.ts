import { expect, it } from 'vitest';
import { toArguments } from '../../../src/backends/cli/arguments.js';
import type { Launch } from '../../../src/core/claude/backend.js';
import type { EffectiveOptions } from '../../../src/core/options/index.js';
import { isolationVariables } from '../../../src/backends/shared/isolation-variables.js';
import { launchWith } from '../launch.js';

/** The arguments beside those that are always there, and what was written to files. */
function map(options: Partial<EffectiveOptions> = {}, launch: Partial<Launch> = {}) {
  const files: Record<string, string> = {};
  const write = (name: string, content: string): string => {
    files[name] = content;
    return `/files/${name}`;
  };
  const args = toArguments(launchWith(options, launch), { write });
  return { args, added: args.filter((arg) => !always.includes(arg)), files };
}

const isolation = { ...isolationVariables(launchWith({})), BUN_GC_TIMER_INTERVAL: '' };
const env = `"env":${JSON.stringify(isolation)}`;

const always = [
  '-p',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--verbose',
  '--session-id=id-1',
  '--setting-sources=user',
  '--permission-mode=default',
  `--settings={${env},"useAutoModeDuringPlan":false,"crossSessionInbound":"refuse"}`,
  '--permission-prompt-tool=stdio',
];

it('always passes streams, mode, sources and permission tool, and omits everything else', () => {
  expect(map()).toEqual({ args: always, added: [], files: {} });
});

it('passes each option as one argument', () => {
  const { args } = map({
    model: 'opus',
    title: 'My title',
    effort: 'max',
    additionalDirectories: ['/a b', '/c'],
    allowedTools: ['Read', 'Bash(npm test)'],
    disallowedTools: ['WebFetch'],
    tools: [],
    fallbackModel: 'sonnet',
    betas: ['context-1m-2025-08-07'],
    planModeInstructions: '--not-a-flag',
    outputFormat: { type: 'json_schema', schema: { type: 'object' } },
    includePartialMessages: true,
    forwardSubagentText: true,
    agent: 'reviewer',
    strictMcpConfig: true,
    debug: true,
    debugFile: '/d.log',
    maxTurns: 3,
    persistSession: false,
    sandbox: { enabled: true },
  });

  expect(args.filter((arg) => !always.includes(arg)).toSorted()).toEqual(
    [
      '--model=opus',
      '--name=My title',
      '--effort=max',
      '--add-dir=/a b',
      '--add-dir=/c',
      '--allowedTools=Read,Bash(npm test)',
      '--disallowedTools=WebFetch',
      '--tools=',
      '--fallback-model=sonnet',
      '--betas=context-1m-2025-08-07',
      '--plan-mode-instructions=--not-a-flag',
      '--json-schema={"type":"object"}',
      '--include-partial-messages',
      '--forward-subagent-text',
      '--agent=reviewer',
      '--strict-mcp-config',
      '--debug',
      '--debug-file=/d.log',
      '--max-turns=3',
      '--no-session-persistence',
      `--settings={${env},"useAutoModeDuringPlan":false,"crossSessionInbound":"refuse","sandbox":{"enabled":true}}`,
    ].toSorted(),
  );
});

it('omits switches that are off', () => {
  const off = {
    includePartialMessages: false,
    forwardSubagentText: false,
    strictMcpConfig: false,
    debug: false,
  };

  expect(map(off).added).toEqual([]);
});

it('puts long and private texts into files', () => {
  const agents = { rev: { description: 'Reviews', prompt: 'You review' } };

  expect(map({ systemPrompt: 'Be brief', notes: ['A note'] })).toMatchObject({
    added: ['--system-prompt-file=/files/system-prompt.txt'],
    files: { 'system-prompt.txt': 'Be brief' },
  });
  expect(
    map({
      systemPrompt: { type: 'preset', preset: 'claude_code', append: 'And kind' },
      notes: ['A note'],
    }),
  ).toMatchObject({
    added: ['--append-system-prompt-file=/files/append-system-prompt.txt'],
    files: { 'append-system-prompt.txt': 'And kind\n\nA note' },
  });
  expect(map({ notes: ['A note'] }).files).toEqual({ 'append-system-prompt.txt': 'A note' });
  expect(map({ agents })).toMatchObject({
    added: ['--agents=/files/agents.json'],
    files: { 'agents.json': JSON.stringify(agents) },
  });
});

it.each<[string, Launch['from'], readonly string[]]>([
  ['start', { type: 'start' }, ['--session-id=id-1']],
  ['resume', { type: 'resume' }, ['--resume=id-1']],
  ['resume at', { type: 'resume', at: 'm-1' }, ['--resume=id-1', '--resume-session-at=m-1']],
  [
    'fork',
    { type: 'fork', claudeSessionId: 'id-0', at: 'm-1' },
    ['--resume=id-0', '--fork-session', '--session-id=id-1', '--resume-session-at=m-1'],
  ],
])('names the conversation of a %s', (_name, from, expected) => {
  const { args } = map({}, { from });

  expect(args.filter((arg) => /^--(session-id|resume|fork)/.test(arg))).toEqual(expected);
});

it('passes the remaining budget, and granted rules together with the allowed tools', () => {
  const { added } = map(
    { allowedTools: ['Read'], maxBudgetUsd: 5 },
    { budgetLeftUsd: 1.5, grantedRules: ['Bash(npm run *)'] },
  );

  expect(added).toEqual(['--allowedTools=Read,Bash(npm run *)', '--max-budget-usd=1.5']);
});

it.each([
  [{ type: 'adaptive' }, '--thinking=adaptive'],
  [{ type: 'disabled' }, '--thinking=disabled'],
  [{ type: 'enabled' }, '--thinking=adaptive'],
  [{ type: 'enabled', budgetTokens: 2_048 }, '--max-thinking-tokens=2048'],
] as const)('passes thinking %j', (thinking, expected) => {
  expect(map({ thinking }).added).toEqual([expected]);
});

it('passes the rules of the user, and keeps skills from running shell lines where nothing but reading may run', () => {
  const permissionRules = { allow: ['Read'], ask: ['Bash(ls)'], deny: ['Bash(rm *)'] };
  const { args } = map({ permissionRules }, { asksFirst: true });

  const settings = args.find((arg) => arg.startsWith('--settings='))?.slice('--settings='.length);
  expect(JSON.parse(settings ?? '')).toEqual({
    env: isolation,
    useAutoModeDuringPlan: false,
    crossSessionInbound: 'refuse',
    disableSkillShellExecution: true,
    permissions: { ask: ['Bash(ls)'], deny: ['Bash(rm *)'] },
  });
  // As a setting, it would open the sandbox, too.
  expect(args).toContain('--allowedTools=Read');
});
