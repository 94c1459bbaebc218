import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { journalOf } from '../kit/journals.js';
import { text, tool } from '../kit/model-steps.js';

async function grantTouch({
  server,
  model,
  sandbox,
}: InProcessScene): Promise<{ sessionId: string; action: unknown }> {
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
  it('passes the second time, and nothing else does', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const { server, model, sandbox } = scene;
    const { sessionId } = await grantTouch(scene);
    model.when('write', [
      tool('Write', { file_path: join(sandbox.project, 'b.txt'), content: 'b' }),
      text('written'),
    ]);
    model.when('remove', [tool('Bash', { command: 'rm -rf sub' }), text('removed')]);

    const again = await server.call('claude_code_reply', { sessionId, prompt: 'touch', waitMs: 20_000 });
    const events = await server.call('claude_code_check', {
      sessionId,
      cursor: 0,
      include: ['events'],
      waitMs: 0,
    });
    const write = await server.call('claude_code_reply', { sessionId, prompt: 'write', waitMs: 20_000 });
    await server.call('claude_code_session', { action: 'interrupt', sessionId });
    const remove = await server.call('claude_code_reply', { sessionId, prompt: 'remove', waitMs: 20_000 });

    expect(again.json).toMatchObject({ status: 'idle', result: { result: 'touched' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
    expect(events.text).toContain('Allowed by an earlier approval for this session: `Bash: echo x >> a.txt`');
    expect(write.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Write' }] });
    expect(remove.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(existsSync(join(sandbox.project, '.claude'))).toBe(false);
  });

  it('survives the end of the process, and goes along with a fork, but not into plan mode', async () => {
    const scene = await startInProcess({ era: 'legacy', env: { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '50' } });
    const { server, model, sandbox } = scene;
    const { sessionId } = await grantTouch(scene);
    await scene.clock.pass(50);
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

    expect(scene.world.launches.length).toBeGreaterThan(1);
    expect(resumed.json).toMatchObject({ status: 'idle', result: { result: 'touched' } });
    expect(forked.json).toMatchObject({ status: 'idle', result: { result: 'touched' } });
    expect(planning.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(record).toMatch(/"grants":{"calls":\["/);
  });
});

describe('after a restart, what is allowed for the session', () => {
  const modern = { era: 'modern' } as const;
  const keyOf = ({ sandbox }: InProcessScene): string =>
    join(sandbox.env()['XDG_CONFIG_HOME'] ?? '', 'claude-code-mcp', 'grants.key');

  async function touchAgain({ server }: InProcessScene, sessionId: string) {
    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'touch', waitMs: 20_000 });
    const { text: events } = await server.call('claude_code_check', {
      sessionId,
      cursor: 0,
      include: ['events'],
      waitMs: 0,
    });
    return { json: reply.json, events };
  }

  it('still passes, by a key outside the state folder', async () => {
    const before = await startInProcess(modern);
    const { sessionId } = await grantTouch(before);
    const scene = await restartInProcess(before, modern);

    const { json, events } = await touchAgain(scene, sessionId);

    expect(json).toMatchObject({ status: 'idle', result: { result: 'touched' } });
    expect(events).not.toContain('dropped');
    expect(statSync(keyOf(scene)).isFile()).toBe(true);
  });

  it('needs approval again if someone has edited it, and the session says so once', async () => {
    const before = await startInProcess(modern);
    const { sessionId } = await grantTouch(before);
    await before.server.close();
    const { grants } = journalOf(before, sessionId).fields as { grants: { calls: string[] } };
    const invented = { v: 2, at: before.clock.now(), set: { grants: { ...grants, rules: ['Bash'] } } };
    const journal = join(before.sandbox.stateDir, 'sessions', `${sessionId}.jsonl`);
    appendFileSync(journal, `${JSON.stringify(invented)}\n`);
    const scene = await restartInProcess(before, modern);

    const { json, events } = await touchAgain(scene, sessionId);
    await scene.server.call('claude_code_session', { action: 'interrupt', sessionId });
    const again = await touchAgain(scene, sessionId);

    expect(json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(events).toContain('Saved approvals could not be verified and were dropped');
    expect(again.events.split('were dropped')).toHaveLength(2);
    expect(scene.server.stderr()).toContain('saved approvals of a session were dropped');
    expect(journalOf(scene, sessionId).fields).not.toHaveProperty('grants');
  });

  it('is not saved if there can be no key, and needs approval again', async () => {
    const before = await startInProcess(modern);
    writeFileSync(before.sandbox.env()['XDG_CONFIG_HOME'] ?? '', '');
    const { sessionId } = await grantTouch(before);
    const scene = await restartInProcess(before, modern);

    const { json } = await touchAgain(scene, sessionId);

    expect(json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(before.server.stderr()).toContain('approvals and options of sessions cannot be sealed');
  });
});
