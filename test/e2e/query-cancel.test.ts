import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useFaultyMode } from '../kit/faulty-cli-env.js';
import { text, tool } from '../kit/model-steps.js';
import { formCapability, neverAnswer, seatPerson } from '../kit/person.js';
import { until } from '../kit/until.js';
import { startQueryScene, type QueryScene } from '../kit/query-scene.js';

/** Generous: it is 2 s for Claude Code, and the machine may be busy. */
const LIMIT_MS = 4_000;

/** Only the server is left of what was started. */
async function onlyServerIsLeft({ sandbox, server }: QueryScene): Promise<void> {
  await until('Claude Code has gone', () => sandbox.processes().every(({ pid }) => pid === server.pid));
}

/** The only session there is, once its turn is over. */
function soleSession({ server }: QueryScene): Promise<string> {
  return until('there is one session, at rest', async () => {
    const { sessions = [] } = (await server.call('claude_code_session', { action: 'list' })).json;
    const [session] = sessions;
    return sessions.length === 1 && session?.status === 'idle' && session.sessionId;
  });
}

async function canGoOn(scene: QueryScene): Promise<void> {
  const { model, server } = scene;
  model.when('go on', [text('Went on.')]);
  const sessionId = await soleSession(scene);
  const reply = await server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000 });
  expect(reply.json).toMatchObject({ status: 'idle', result: { result: 'Went on.' } });
}

async function cancelAndLook(
  scene: QueryScene,
  running: Promise<unknown>,
  cancel: AbortController,
): Promise<void> {
  const outcome = running.then(
    () => 'answered',
    () => 'cancelled',
  );
  const cancelledAt = Date.now();
  cancel.abort();
  await onlyServerIsLeft(scene);
  expect(Date.now() - cancelledAt).toBeLessThan(LIMIT_MS);
  expect(await outcome).toBe('cancelled');
}

describe('a query whose request is cancelled', () => {
  const era = 'legacy';
  it('stops Claude while a tool runs, and its session can be continued', async () => {
    const scene = await startQueryScene({ era });
    const { model, sandbox } = scene;
    const cancel = new AbortController();
    model.when('work', [tool('Bash', { command: 'touch begun; sleep 60' }), text('Done.')]);

    const running = scene.query('work', { signal: cancel.signal, args: { allowedTools: ['Bash'] } });
    running.catch(() => undefined);
    await until('the tool runs', () => existsSync(join(sandbox.project, 'begun')));
    await cancelAndLook(scene, running, cancel);
    const toldBefore = scene.told.length;
    await canGoOn(scene);

    expect(scene.told).toHaveLength(toldBefore);
    expect(scene.server.stdout()).not.toContain('call was cancelled');
  });

  it('stops Claude Code before it is ready, and its session can be continued', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ccm-cli-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const executable = join(folder, 'claude');
    useFaultyMode(executable, 'silent');
    const scene = await startQueryScene({ era, env: { CLAUDE_CODE_PATH: executable } });
    const cancel = new AbortController();

    const running = scene.query('work', { signal: cancel.signal });
    running.catch(() => undefined);
    await until('Claude Code is starting', () => scene.sandbox.processes().length > 1);
    await cancelAndLook(scene, running, cancel);
    useFaultyMode(executable, 'ok');
    const sessionId = await soleSession(scene);
    const reply = await scene.server.call('claude_code_reply', { sessionId, prompt: 'on', waitMs: 20_000 });

    expect(reply.json).toMatchObject({ status: 'idle', result: { result: 'All good.' } });
  });

  it('leaves alone what is begun in its session while Claude Code still goes', async () => {
    const scene = await startQueryScene({ era });
    const cancel = new AbortController();

    const running = scene.query('work', { signal: cancel.signal });
    running.catch(() => undefined);
    await until('Claude Code is starting', () => scene.sandbox.processes().length > 1);
    cancel.abort();

    await canGoOn(scene);
  });
});

describe('a query that is cancelled while a person is asked', () => {
  it('takes the form away and stops', async () => {
    const scene = await startQueryScene({ era: 'legacy', capabilities: formCapability });
    const person = seatPerson(scene.server, neverAnswer);
    const cancel = new AbortController();
    scene.model.when('work', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);

    const running = scene.query('work', { signal: cancel.signal });
    running.catch(() => undefined);
    const form = await person.form(0);
    await cancelAndLook(scene, running, cancel);
    await until('the form is taken away', () => form.signal.aborted);
    await canGoOn(scene);

    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(false);
  });
});
