import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restart, startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

async function grantTouch({
  server,
  model,
  sandbox,
}: Scene): Promise<{ sessionId: string; action: unknown }> {
  // No rule of Claude Code covers a redirect: only the same call can pass again.
  model.when('touch', [tool('Bash', { command: 'echo x >> a.txt' }), text('touched')]);
  const asked = await server.call('claude_code', { prompt: 'touch', cwd: sandbox.project, waitMs: 20_000 });
  const action = asked.json.actions?.[0];
  const granted = await server.call('claude_code_respond', {
    requestId: action?.requestId,
    decision: 'allow_for_session',
  });
  expect(granted.json).toMatchObject({ status: 'idle', result: { result: 'touched' } });
  rmSync(join(sandbox.project, 'a.txt'));
  return { sessionId: asked.json.sessionId, action };
}

describe('what is allowed for the session', () => {
  it('says which rule goes with it, survives the end of the process, goes along with a fork, but not into plan mode', async () => {
    const scene = await startScene({ era: 'legacy', env: { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '50' } });
    const { server, model, sandbox } = scene;
    const { sessionId } = await grantTouch(scene);
    model.when('run one', [tool('Bash', { command: 'npm run one --silent' }), text('ran one')]);
    model.when('run two', [tool('Bash', { command: 'npm run two --silent' }), text('ran two')]);
    const asked = await server.call('claude_code_reply', { sessionId, prompt: 'run one', waitMs: 20_000 });
    const action = asked.json.actions?.[0];
    await server.call('claude_code_respond', { requestId: action?.requestId, decision: 'allow_for_session' });
    const two = await server.call('claude_code_reply', { sessionId, prompt: 'run two', waitMs: 20_000 });
    await until(
      'the process is closed',
      () => !sandbox.processes().some(({ command }) => command.includes('stream-json')),
    );
    model.when('plan first', [
      tool('EnterPlanMode', {}),
      tool('Bash', { command: 'touch a.txt' }),
      text('planned'),
    ]);

    const resumed = await server.call('claude_code_reply', { sessionId, prompt: 'touch', waitMs: 20_000 });
    const forked = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'touch',
      forkSession: true,
      waitMs: 20_000,
    });
    const planning = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'plan first',
      waitMs: 20_000,
    });
    const record = readFileSync(join(sandbox.stateDir, 'sessions', `${sessionId}.jsonl`), 'utf8');

    expect(action).toMatchObject({
      grant: expect.stringMatching(/this exact call and every call that matches `Bash\(npm run .*\)`/),
    });
    expect(two.json).toMatchObject({ status: 'idle', result: { result: 'ran two' } });
    expect(resumed.json).toMatchObject({ status: 'idle', result: { result: 'touched' } });
    expect(forked.json).toMatchObject({ status: 'idle', result: { result: 'touched' } });
    expect(planning.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(record).toMatch(/"grants":{"calls":\["[^"]+","[^"]+"\]/);
  });

  it('does not cover the same command in another folder, and the request names that folder', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, model, sandbox } = scene;
    const sub = join(sandbox.project, 'sub');
    mkdirSync(sub);
    const { sessionId } = await grantTouch(scene);
    const touch = tool('Bash', { command: 'echo x >> a.txt' });
    model.when('move', [tool('Bash', { command: 'cd sub' }), touch, text('moved')]);

    const moved = await server.call('claude_code_reply', { sessionId, prompt: 'move', waitMs: 20_000 });

    expect(moved.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash', folder: sub }] });
    expect(existsSync(join(sub, 'a.txt'))).toBe(false);
  });
});

describe('after a restart', () => {
  it('a session has not gained what its own command wrote into its record', async () => {
    const before = await startScene({ era: 'modern' });
    const { sessionId } = await grantTouch(before);
    const journal = join(before.sandbox.stateDir, 'sessions', `${sessionId}.jsonl`);
    const line = JSON.stringify({ v: 2, at: Date.now(), set: { grants: { calls: [], rules: ['Bash'] } } });
    before.model.when('forge', [tool('Bash', { command: `echo '${line}' >> '${journal}'` }), text('forged')]);
    before.model.when('more', [tool('Bash', { command: 'echo y >> b.txt' }), text('more')]);
    const prompt = { sessionId, waitMs: 20_000 };
    const asked = await before.server.call('claude_code_reply', { ...prompt, prompt: 'forge' });
    const requestId = asked.json.actions?.[0]?.requestId;
    const forged = await before.server.call('claude_code_respond', { requestId, decision: 'allow' });
    const { server, sandbox } = await restart(before, { era: 'modern' });

    const more = await server.call('claude_code_reply', { ...prompt, prompt: 'more' });

    expect(forged.json).toMatchObject({ status: 'idle', result: { result: 'forged' } });
    expect(readFileSync(journal, 'utf8')).toContain(line);
    expect(more.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(existsSync(join(sandbox.project, 'b.txt'))).toBe(false);
  });
});
