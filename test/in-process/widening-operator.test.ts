import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  async function restartWith(
    scene: InProcessScene,
    env: Record<string, string>,
    sessionId: string,
  ): Promise<string[]> {
    const { server } = await restartInProcess(scene, { era: 'modern', env });
    const before = scene.model.requests().length;
    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'more' });
    const fork = await server.call('claude_code_reply', { sessionId, prompt: 'more', forkSession: true });
    await server.close();
    expect(scene.model.requests()).toHaveLength(before);
    return [reply.text, fork.text];
  }

  it('is not resumed with what a trusted caller gave it', async () => {
    const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' } });
    const agents = { a: { description: 'd', prompt: 'p', permissionMode: 'acceptEdits' } };
    const sessionId = await startIdle(scene, { advanced: { agents } });

    const answers = await restartWith(scene, {}, sessionId);

    const refusal =
      /^Error \[PERMISSION_DENIED\]: callers may not set agents\.a\.permissionMode: .*CLAUDE_CODE_MCP_CALLER_TRUST=full/;
    expect(answers).toEqual([expect.stringMatching(refusal), expect.stringMatching(refusal)]);
  });

  it('is not resumed with tools that run unasked where only people approve', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const sessionId = await startIdle(scene, { allowedTools: ['Bash'] });

    const answers = await restartWith(scene, { CLAUDE_CODE_MCP_APPROVALS: 'human' }, sessionId);

    const refusal = /^Error \[PERMISSION_DENIED\]: allowedTools "Bash" .*CLAUDE_CODE_MCP_PREALLOW/;
    expect(answers).toEqual([expect.stringMatching(refusal), expect.stringMatching(refusal)]);
  });

  it('is not resumed with what somebody has written into its record', async () => {
    const scene = await startInProcess({ era: 'modern' });
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
