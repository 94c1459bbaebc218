import { describe, expect, it } from 'vitest';
import { toSdkOptions } from '../../../src/backends/agent-sdk/options.js';
import type { Launch } from '../../../src/core/claude/backend.js';
import type { EffectiveOptions } from '../../../src/core/options/index.js';
import { isolationVariables } from '../../../src/backends/shared/isolation-variables.js';
import { launchWith } from '../launch.js';

const env = { ...isolationVariables(launchWith({})), BUN_GC_TIMER_INTERVAL: '' };

function map(options: Partial<EffectiveOptions> = {}, launch: Partial<Launch> = {}) {
  return toSdkOptions(launchWith(options, launch));
}

it('always passes mode, sources, prompt and locks, and omits everything else', () => {
  expect(map()).toEqual({
    cwd: '/nowhere/project',
    permissionMode: 'default',
    settingSources: ['user'],
    systemPrompt: { type: 'preset', preset: 'claude_code' },
    verbatimPrompts: true,
    settings: { env, useAutoModeDuringPlan: false, crossSessionInbound: 'refuse' },
    persistSession: true,
    sessionId: 'id-1',
  });
});

it.each(['default', 'acceptEdits', 'plan', 'dontAsk', 'auto'] as const)(
  'passes the mode %s',
  (permissionMode) => {
    expect(map({ permissionMode }).permissionMode).toBe(permissionMode);
  },
);

it('passes the consent that Claude Code requires for bypassPermissions, and for no other mode', () => {
  expect(map({ permissionMode: 'bypassPermissions' })).toMatchObject({
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
  });
  expect(map({ permissionMode: 'acceptEdits' })).not.toHaveProperty('allowDangerouslySkipPermissions');
});

it('passes options that a caller may set', () => {
  const options = {
    model: 'haiku',
    title: 'a title',
    effort: 'high',
    allowedTools: ['Read'],
    disallowedTools: ['Bash'],
    tools: [],
    maxTurns: 3,
    additionalDirectories: ['/more'],
    persistSession: false,
  } satisfies Partial<EffectiveOptions>;

  expect(map(options)).toMatchObject(options);
});

it('does not pass options that the session layer applies', () => {
  const mapped = map({
    maxBudgetUsd: 5,
    timeoutMs: 1_000,
    projectSettings: 'skipped',
    permissionRequestTimeoutMs: 7,
    sessionInitTimeoutMs: 8,
  });

  expect(mapped).toEqual(map());
});

describe('the system prompt', () => {
  it.each(['You are terse.', ''])('is replaced by %j, and not recorded', (systemPrompt) => {
    expect(map({ systemPrompt }).systemPrompt).toEqual({
      type: 'custom',
      prompt: systemPrompt,
      snapshot: false,
    });
  });

  it("is Claude Code's with what is appended, and with our notes, and not recorded", () => {
    const systemPrompt = { type: 'preset', preset: 'claude_code', append: 'Be terse.' } as const;

    expect(map({ systemPrompt, notes: ['A note.'] }).systemPrompt).toEqual({
      type: 'preset',
      preset: 'claude_code',
      append: 'Be terse.\n\nA note.',
      snapshot: false,
    });
    expect(map({ notes: ['A note.'] }).systemPrompt).toEqual({
      type: 'preset',
      preset: 'claude_code',
      append: 'A note.',
      snapshot: false,
    });
  });
});

describe('the conversation', () => {
  it.each([
    ['started', { type: 'start' }, { sessionId: 'id-1' }],
    ['resumed', { type: 'resume' }, { resume: 'id-1' }],
    [
      'forked',
      { type: 'fork', claudeSessionId: 'parent' },
      { resume: 'parent', forkSession: true, sessionId: 'id-1' },
    ],
  ] as const)('is %s', (_, from, expected) => {
    const { resume, forkSession, sessionId } = map({}, { from });

    expect({ resume, forkSession, sessionId }).toEqual({
      resume: undefined,
      forkSession: undefined,
      sessionId: undefined,
      ...expected,
    });
  });
});

it('passes the remaining budget, not the total', () => {
  expect(map({ maxBudgetUsd: 5 }, { budgetLeftUsd: 1.25 }).maxBudgetUsd).toBe(1.25);
});

it('passes the rules of the user, and disables the shell lines of skills where nothing but reading may run without approval', () => {
  const permissionRules = { allow: ['Read'], ask: ['Bash(ls)'], deny: ['Bash(rm *)'] };

  expect(map({ permissionRules }, { asksFirst: true })).toMatchObject({
    settings: {
      env,
      useAutoModeDuringPlan: false,
      crossSessionInbound: 'refuse',
      disableSkillShellExecution: true,
      permissions: { ask: ['Bash(ls)'], deny: ['Bash(rm *)'] },
    },
    allowedTools: ['Read'],
  });
});

it('keeps withheld servers of the user from starting', () => {
  const launch = launchWith({
    withheldServers: [
      { name: 'notes', entry: { serverName: 'notes' } },
      { name: 'my notes', entry: { serverCommand: ['npx', 'some-mcp'] } },
    ],
  });

  expect(toSdkOptions(launch).settings).toEqual({
    env,
    useAutoModeDuringPlan: false,
    crossSessionInbound: 'refuse',
    deniedMcpServers: [{ serverName: 'notes' }, { serverCommand: ['npx', 'some-mcp'] }],
  });
});

it.each([
  [false, [{ serverUrl: '*' }]],
  [true, []],
])(
  'lets only listed programs start as servers, and all addresses unless the user lists some: %s',
  (isListed, urls) => {
    const launch = launchWith({ startableServers: { commands: [['/opt/server', '--stdio']], isListed } });

    expect(toSdkOptions(launch).settings).toEqual({
      env,
      useAutoModeDuringPlan: false,
      crossSessionInbound: 'refuse',
      allowedMcpServers: [...urls, { serverCommand: ['\0'] }, { serverCommand: ['/opt/server', '--stdio'] }],
    });
  },
);

it('turns off plugins that are withheld', () => {
  expect(toSdkOptions(launchWith({ withheldPlugins: ['ts@nest'] })).settings).toEqual({
    env,
    useAutoModeDuringPlan: false,
    crossSessionInbound: 'refuse',
    enabledPlugins: { 'ts@nest': false },
  });
});
