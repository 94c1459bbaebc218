import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { createGate } from '../kit/gate.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, neverAnswer, seatPerson, settledInputs } from '../kit/person.js';
import { toolResultText } from '../kit/tool-result.js';
import { until } from '../kit/until.js';

async function startTouching(
  { server, model, sandbox }: InProcessScene,
  args: Record<string, unknown> = {},
): Promise<Awaited<ReturnType<typeof server.call>>> {
  model.when('touch it', [tool('Bash', { command: 'touch a.txt' }, { id: 'toolu_touch' }), text('Over.')]);
  return server.call('claude_code', {
    prompt: 'touch it',
    cwd: sandbox.project,
    waitMs: 20_000,
    ...args,
  });
}

function isTouched({ sandbox }: InProcessScene): boolean {
  return existsSync(join(sandbox.project, 'a.txt'));
}

async function onlySession({ server }: InProcessScene): Promise<string> {
  const { json } = await server.call('claude_code_session', { action: 'list' });
  expect(json.sessions).toHaveLength(1);
  return json.sessions?.[0]?.sessionId ?? '';
}

/** What the model is told about the touch in its newest request. */
function toldAboutTouch({ model }: InProcessScene, sessionId: string): string | undefined {
  const last = model.requests(sessionId).at(-1);
  return last && toolResultText(last, 'toolu_touch');
}

describe.each(['modern', 'legacy'] as const)('a form that is open, %s era', (era) => {
  it('is too late after the deadline: the call tells what came of it, and nothing ran', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const { server } = scene;
    const person = seatPerson(server, () => accept({ decision: 'allow' }), 1_600);

    const done = await startTouching(scene, { permissionRequestTimeoutMs: 1_000 });

    expect(done.json).toMatchObject({
      status: 'idle',
      answered: [{ decision: 'deny', answeredBy: 'timeout' }],
      result: { result: 'Over.', outcome: 'completed' },
    });
    expect(person.forms).toHaveLength(1);
    expect(settledInputs(server)).toMatchObject([{ decision: 'deny', answeredBy: 'timeout' }]);
    expect(toldAboutTouch(scene, done.json.sessionId)).toBe(
      'This was not done, because nobody answered within 1 s. No person denied it.',
    );
    expect(isTouched(scene)).toBe(false);
  });

  it('is withdrawn by an interrupt: a late yes lets nothing run, and the session goes on', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const { server } = scene;
    const late = createGate();
    const person = seatPerson(server, async () => {
      await late.opened;
      return accept({ decision: 'allow' });
    });

    const call = startTouching(scene);
    await person.form(0);
    const sessionId = await onlySession(scene);
    const interrupted = await server.call('claude_code_session', { action: 'interrupt', sessionId });
    late.open();
    const told = await call;
    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000 });

    expect(interrupted.json).toMatchObject({ status: 'idle', result: { outcome: 'interrupted' } });
    expect(told.json).toMatchObject({
      sessionId,
      status: 'idle',
      answered: [{ decision: 'deny', answeredBy: 'interrupt' }],
      result: { outcome: 'interrupted' },
    });
    expect(reply.json).toMatchObject({ status: 'idle', result: { result: 'ok', turn: 2 } });
    expect(toldAboutTouch(scene, sessionId)).toContain('The tool use was rejected');
    expect(settledInputs(server)).toMatchObject([{ decision: 'deny', answeredBy: 'interrupt' }]);
    expect(person.forms).toHaveLength(1);
    expect(isTouched(scene)).toBe(false);
  });

  it('is withdrawn by a cancel: a late yes lets nothing run', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const { server, model } = scene;
    const late = createGate();
    const person = seatPerson(server, async () => {
      await late.opened;
      return accept({ decision: 'allow' });
    });

    const call = startTouching(scene);
    await person.form(0);
    const sessionId = await onlySession(scene);
    const cancelled = await server.call('claude_code_session', { action: 'cancel', sessionId });
    late.open();
    const told = await call;

    expect(cancelled.json).toMatchObject({ status: 'cancelled' });
    expect(told.json).toMatchObject({
      sessionId,
      status: 'cancelled',
      answered: [{ decision: 'deny', answeredBy: 'cancel' }],
    });
    expect(settledInputs(server)).toMatchObject([{ decision: 'deny', answeredBy: 'cancel' }]);
    expect(model.requests(sessionId)).toHaveLength(1);
    expect(isTouched(scene)).toBe(false);
  });
});

describe('a form of the legacy era is taken away', () => {
  const endings: [string, Record<string, unknown>, (scene: InProcessScene) => Promise<unknown>][] = [
    ['at its deadline', { permissionRequestTimeoutMs: 1_000 }, async ({ clock }) => clock.advance(1_000)],
    [
      'by an interrupt',
      {},
      async (scene) =>
        scene.server.call('claude_code_session', {
          action: 'interrupt',
          sessionId: await onlySession(scene),
        }),
    ],
    [
      'by a cancel',
      {},
      async (scene) =>
        scene.server.call('claude_code_session', { action: 'cancel', sessionId: await onlySession(scene) }),
    ],
  ];

  it.each(endings)('%s', async (_name, args, end) => {
    const scene = await startInProcess({ era: 'legacy', capabilities: formCapability });
    const person = seatPerson(scene.server, neverAnswer);

    const call = startTouching(scene, args);
    const form = await person.form(0);
    const wasThere = !form.signal.aborted;
    await end(scene);

    expect(wasThere).toBe(true);
    await until('the form is taken away', () => form.signal.aborted);
    await call;
    expect(isTouched(scene)).toBe(false);
  });
});
