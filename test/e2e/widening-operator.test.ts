import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createArgvLog } from '../kit/argv-log.js';
import { startBackstage, startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';
import { until } from '../kit/until.js';
import { startIdle } from '../kit/start-idle.js';
import { expectRefusals } from '../kit/widening-scene.js';
import type { Try } from '../kit/widening-tries.js';

/** A server that may work in one folder only, with ways that seem to lead out of it. */
async function startFencedScene(): Promise<Scene & { inside: string; outside: string }> {
  const { model, sandbox } = await startBackstage();
  const inside = join(sandbox.root, 'inside');
  const outside = join(sandbox.root, 'inside-out');
  for (const folder of [inside, outside]) mkdirSync(join(folder, 'deep'), { recursive: true });
  symlinkSync(outside, join(inside, 'link'));
  symlinkSync(join(outside, 'deep'), join(inside, 'deep', 'link'));
  const server = await connectServer({
    era: 'modern',
    model,
    sandbox,
    env: { CLAUDE_CODE_MCP_ROOTS: inside },
  });
  return { server, model, sandbox, inside, outside };
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
    await server.close();

    expect(unnamed.text).toMatch(refusal);
    expect(allowed.json.status).toBe('idle');
  });
});

describe('caps', () => {
  it('hold for a start, a reply, a fork and changed options, and are what a caller gets who names none', async () => {
    const { model, sandbox } = await startBackstage();
    const log = createArgvLog(join(sandbox.root, 'wrapper'));
    const server = await connectServer({
      era: 'modern',
      model,
      sandbox,
      env: {
        CLAUDE_CODE_PATH: log.executable,
        CLAUDE_CODE_MCP_MAX_TURNS: '5',
        CLAUDE_CODE_MCP_MAX_BUDGET_USD: '0.5',
      },
    });
    const scene = { server, model, sandbox };
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
    await server.close();

    expect(log.argvOf(sessionId)).toEqual(expect.arrayContaining(['--max-turns=5', '--max-budget-usd=0.5']));
  });
});

describe('a session with broader options than it may have today', () => {
  async function restartWith(
    scene: Scene,
    env: Record<string, string>,
    sessionId: string,
  ): Promise<string[]> {
    await scene.server.close();
    const server = await connectServer({ era: 'modern', model: scene.model, sandbox: scene.sandbox, env });
    const before = scene.model.requests().length;
    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'more' });
    const fork = await server.call('claude_code_reply', { sessionId, prompt: 'more', forkSession: true });
    await server.close();
    expect(scene.model.requests()).toHaveLength(before);
    return [reply.text, fork.text];
  }

  it('is not resumed with what somebody has written into its record', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await startIdle(scene);
    const file = join(scene.sandbox.stateDir, 'sessions', `${sessionId}.json`);
    await until(
      'the record says idle',
      () => existsSync(file) && readFileSync(file, 'utf8').includes('"status":"idle"'),
    );
    await scene.server.close();
    const record = JSON.parse(readFileSync(file, 'utf8')) as { options: object };
    const options = { ...record.options, permissionMode: 'bypassPermissions' };
    writeFileSync(file, JSON.stringify({ ...record, options }));

    const answers = await restartWith(scene, {}, sessionId);

    const refusal = /^Error \[PERMISSION_DENIED\]: .*bypassPermissions/;
    expect(answers).toEqual([expect.stringMatching(refusal), expect.stringMatching(refusal)]);
  });
});

describe('where only people approve', () => {
  it('a caller who names skills does not have them run unasked', async () => {
    const { server, model, sandbox } = await startScene({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_APPROVALS: 'human' },
    });
    const folder = join(sandbox.configDir, 'skills', 'touching');
    mkdirSync(folder, { recursive: true });
    const skill =
      '---\nname: touching\ndescription: touches\nallowed-tools: Bash(touch:*)\n---\nTouch a.txt.';
    writeFileSync(join(folder, 'SKILL.md'), skill);
    model.when('use it', [
      tool('Skill', { skill: 'touching' }),
      tool('Bash', { command: 'touch a.txt' }),
      text('touched'),
    ]);

    const { json } = await server.call('claude_code', {
      prompt: 'use it',
      advanced: { skills: ['touching'] },
      waitMs: 20_000,
    });

    expect(json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Skill' }] });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
  });
});
