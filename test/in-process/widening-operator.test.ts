import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { until } from '../kit/until.js';
import { startIdle } from '../kit/start-idle.js';
import { expectRefusals } from '../kit/widening-scene.js';
import type { Try } from '../kit/widening-tries.js';

/** A server that may work in one folder only, with ways that seem to lead out of it. */
async function startFencedScene(): Promise<InProcessScene & { inside: string; outside: string }> {
  const scene = await startInProcess({
    era: 'modern',
    envFor: ({ root }) => {
      mkdirSync(join(root, 'inside'));
      return { CLAUDE_CODE_MCP_ROOTS: join(root, 'inside') };
    },
  });
  const inside = join(scene.sandbox.root, 'inside');
  const outside = join(scene.sandbox.root, 'inside-out');
  for (const folder of [inside, outside]) mkdirSync(join(folder, 'deep'), { recursive: true });
  symlinkSync(outside, join(inside, 'link'));
  symlinkSync(join(outside, 'deep'), join(inside, 'deep', 'link'));
  return { ...scene, inside, outside };
}

describe('ROOTS', () => {
  it('hold against links, detours, neighbours with the same beginning, and folders beside', async () => {
    const scene = await startFencedScene();
    const { server, inside, outside } = scene;
    const ways = [
      outside,
      join(inside, 'link'),
      join(inside, 'link', 'deep'),
      join(inside, 'deep', 'link'),
      `${inside}/../inside-out`,
      `${inside}/deep/../../inside-out/deep`,
      join(inside, '..'),
      scene.sandbox.project,
    ];
    const refusal = /outside the folders that this server allows.*CLAUDE_CODE_MCP_ROOTS/;
    const tries = ways.flatMap((way): Try[] => [
      [`cwd ${way}`, () => ({ cwd: way }), 'PERMISSION_DENIED', refusal],
      [
        `beside ${way}`,
        () => ({ cwd: inside, advanced: { additionalDirectories: [way] } }),
        'PERMISSION_DENIED',
        refusal,
      ],
    ]);

    await expectRefusals(scene, 'claude_code', tries, (args) => ({ prompt: 'hello', ...args }));
    const unnamed = await server.call('claude_code', { prompt: 'hello' });
    const allowed = await server.call('claude_code', {
      prompt: 'hello',
      cwd: `${inside}/deep/../deep`,
      waitMs: 20_000,
    });

    expect(unnamed.text).toMatch(refusal);
    expect(allowed.json.status).toBe('idle');
    expect(scene.world.launches.map(({ cwd }) => cwd)).toEqual([join(inside, 'deep')]);
  });

  it('close the sessions of a folder that the operator has closed', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const { model, sandbox } = scene;
    const sessionId = await startIdle(scene);
    const elsewhere = join(sandbox.root, 'elsewhere');
    mkdirSync(elsewhere);
    const { server } = await restartInProcess(scene, {
      era: 'modern',
      env: { CLAUDE_CODE_MCP_ROOTS: elsewhere },
    });

    const answers = await Promise.all([
      server.call('claude_code_reply', { sessionId, prompt: 'more' }),
      server.call('claude_code_reply', { sessionId, prompt: 'more', forkSession: true }),
      server.call('claude_code_check', { sessionId }),
    ]);
    await server.close();

    expect(answers.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Error \[(PERMISSION_DENIED|SESSION_NOT_FOUND)\]/),
      expect.stringMatching(/^Error \[(PERMISSION_DENIED|SESSION_NOT_FOUND)\]/),
      expect.stringMatching(/^Error \[SESSION_NOT_FOUND\]/),
    ]);
    expect(model.requests()).toHaveLength(1);
  });
});

describe('caps', () => {
  it('hold for a start, a reply, a fork and changed options, and are what a caller gets who names none', async () => {
    const scene = await startInProcess({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_MAX_TURNS: '5', CLAUDE_CODE_MCP_MAX_BUDGET_USD: '0.5' },
    });
    const sessionId = await startIdle(scene);
    const turns: Try = [
      'more turns',
      () => ({ maxTurns: 6 }),
      'PERMISSION_DENIED',
      /maxTurns 6 exceeds the operator's limit of 5\. .*CLAUDE_CODE_MCP_MAX_TURNS/,
    ];
    const budget: Try = [
      'more money',
      () => ({ maxBudgetUsd: 0.51 }),
      'PERMISSION_DENIED',
      /maxBudgetUsd 0\.51 exceeds the operator's limit of 0\.5\. .*CLAUDE_CODE_MCP_MAX_BUDGET_USD/,
    ];
    const reply = { sessionId, prompt: 'more' };

    await expectRefusals(scene, 'claude_code', [turns, budget], (args) => ({ prompt: 'hello', ...args }));
    for (const how of [{}, { forkSession: true }]) {
      await expectRefusals(scene, 'claude_code_reply', [turns, budget], (args) => ({
        ...reply,
        ...how,
        ...args,
      }));
      await expectRefusals(scene, 'claude_code_reply', [turns, budget], (args) => ({
        ...reply,
        ...how,
        diskResumeConfig: args,
      }));
    }

    expect(scene.world.launches).toMatchObject([{ maxTurns: 5, maxBudgetUsd: 0.5 }]);
  });
});

describe('a session with broader options than it may have today', () => {
  /** The options with which the session and a fork of it go on after a restart. */
  async function restartWith(
    scene: InProcessScene,
    env: Record<string, string>,
    sessionId: string,
    notRestored: readonly string[],
  ): Promise<readonly Options[]> {
    const { server, world } = await restartInProcess(scene, { era: 'modern', env });
    const before = world.launches.length;
    const reply = { sessionId, prompt: 'more', waitMs: 20_000 };
    // The fork first: the reply leaves a record without these options.
    const fork = await server.call('claude_code_reply', { ...reply, forkSession: true });
    const resumed = await server.call('claude_code_reply', reply);
    await server.close();
    expect([fork.json, resumed.json]).toMatchObject([
      { status: 'idle', notRestored },
      { status: 'idle', notRestored },
    ]);
    return world.launches.slice(before);
  }

  it('is not resumed with what a trusted caller gave it', async () => {
    const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' } });
    const agent = { description: 'd', prompt: 'p' };
    const sessionId = await startIdle(scene, {
      advanced: {
        agents: { a: { ...agent, permissionMode: 'acceptEdits' } },
        debug: true,
        settingSources: [],
        sandbox: { enabled: false, filesystem: { allowWrite: ['/'] } },
        pathToClaudeCodeExecutable: '/opt/claude',
        mcpServers: { near: { type: 'http', url: 'http://127.0.0.1:9/' } },
      },
    });

    const launches = await restartWith(scene, {}, sessionId, [
      'agents',
      'mcpServers',
      'sandbox',
      'pathToClaudeCodeExecutable',
      'debug',
      'settingSources',
    ]);

    expect(launches).toHaveLength(2);
    for (const options of launches) {
      expect(options).toMatchObject({ agents: { a: agent }, settingSources: ['user'] });
      expect(options.agents?.['a']).not.toHaveProperty('permissionMode');
      expect(options.debug).toBe(false);
      expect(options.pathToClaudeCodeExecutable).toBeUndefined();
      expect(options.sandbox).toBeUndefined();
    }
  });

  it('keeps the sandbox that a trusted caller gave it, and loses its doors', async () => {
    const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' } });
    const sandbox = { enabled: true, autoAllowBashIfSandboxed: true, excludedCommands: ['git'] };
    const sessionId = await startIdle(scene, { allowedTools: ['Bash'], advanced: { sandbox } });

    const launches = await restartWith(scene, {}, sessionId, ['sandbox']);

    const tight = {
      enabled: true,
      failIfUnavailable: true,
      autoAllowBashIfSandboxed: false,
      allowUnsandboxedCommands: false,
    };
    expect(launches.map((options) => options.sandbox)).toEqual([tight, tight]);
  });

  it('is not resumed with tools that run without approval where only people approve', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const sessionId = await startIdle(scene, { allowedTools: ['Bash', 'Read'] });

    const human = { CLAUDE_CODE_MCP_APPROVALS: 'human' };
    const launches = await restartWith(scene, human, sessionId, ['allowedTools']);

    expect(launches.map((options) => options.allowedTools)).toEqual([['Read'], ['Read']]);
  });

  it('stays in plan mode even if callers may no longer choose it', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const sessionId = await startIdle(scene, { permissionMode: 'plan' });
    const env = { CLAUDE_CODE_MCP_CALLER_MODES: 'acceptEdits' };

    const { server, world } = await restartInProcess(scene, { era: 'modern', env });
    const resumed = await server.call('claude_code_reply', { sessionId, prompt: 'more', waitMs: 20_000 });
    const refused = await server.call('claude_code', { prompt: 'hello', permissionMode: 'plan' });

    expect(resumed.json).toMatchObject({ status: 'idle' });
    expect(world.launches.at(-1)?.permissionMode).toBe('plan');
    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]/);
  });

  it('is not resumed with what somebody has written into its record', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const sessionId = await startIdle(scene);
    const file = join(scene.sandbox.stateDir, 'sessions', `${sessionId}.jsonl`);
    await until(
      'the record says idle',
      () => existsSync(file) && readFileSync(file, 'utf8').includes('"status":"idle"'),
    );
    await scene.server.close();
    const [first = ''] = readFileSync(file, 'utf8').split('\n');
    const { v, at, set } = JSON.parse(first) as { v: number; at: number; set: { options: object } };
    const options = { ...set.options, permissionMode: 'bypassPermissions' };
    appendFileSync(file, `${JSON.stringify({ v, at, set: { options } })}\n`);

    const { server, world } = await restartInProcess(scene, { era: 'modern' });
    const before = world.launches.length;
    const reply = { sessionId, prompt: 'more', waitMs: 20_000 };
    const fork = await server.call('claude_code_reply', { ...reply, forkSession: true });
    const resumed = await server.call('claude_code_reply', reply);
    const given = await server.call('claude_code_reply', {
      ...reply,
      diskResumeConfig: { permissionMode: 'default' },
    });

    expect([fork, resumed, given].map(({ json }) => json)).toMatchObject([
      { status: 'idle' },
      { status: 'idle', notRestored: ['settingSources', 'permissionMode'] },
      { status: 'idle', notRestored: ['settingSources'] },
    ]);
    const modes = world.launches.slice(before).map(({ permissionMode }) => permissionMode);
    expect(modes).toEqual(['plan', 'plan', 'default']);
  });
});

describe('a key that would be a prototype', () => {
  it('gives no option, where it is not refused', async () => {
    const { server } = await startInProcess({ era: 'legacy' });
    const args = JSON.parse(
      '{"prompt":"hello","waitMs":20000,"__proto__":{"permissionMode":"acceptEdits","maxTurns":3}}',
    ) as Record<string, unknown>;

    const { json } = await server.call('claude_code', args);
    const { sessionId } = json;
    const got = await server.call('claude_code_session', { action: 'get', sessionId });

    expect(got.json.options).toEqual({ permissionMode: 'default' });
  });
});
