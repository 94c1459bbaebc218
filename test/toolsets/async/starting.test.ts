import { setImmediate as aMoment } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors.js';
import { parseSessionId } from '../../../src/core/ids.js';
import { Permits } from '../../../src/session/services/permits.js';
import { asyncTools } from '../../../src/toolsets/async/index.js';
import { sessionsTools } from '../../../src/toolsets/sessions/index.js';
import type { FakeProcess } from '../../kit/fake-backend.js';
import { plainPolicy } from '../../kit/policy.js';
import { writeTranscript } from '../../sessions/manager-scene.js';
import { createToolScene, openRequest, parse, type Json, type ToolScene } from './tool-scene.js';

const waitMs = 1_000;

interface Starting {
  readonly snapshot: Json;
  readonly sessionId: string;
  readonly process: FakeProcess;
}

/** A session whose caller has waited long enough while its Claude Code starts. */
async function startSlowly(scene: ToolScene): Promise<Starting> {
  const started = scene.callJson('claude_code', { prompt: 'do it', waitMs });
  const process = await scene.backend.process(0);
  await process.prompt(0);
  scene.clock.advance(waitMs);
  const snapshot = await started;
  return { snapshot, sessionId: String(snapshot['sessionId']), process };
}

describe('a call whose wait ends while Claude Code starts', () => {
  it('answers then, when the session is on record', async () => {
    const scene = await createToolScene();

    const { snapshot, sessionId } = await startSlowly(scene);

    expect(snapshot).toMatchObject({ status: 'running', cursor: 0 });
    expect(await scene.records.load(parseSessionId(sessionId))).toMatchObject({
      openTurn: { prompts: ['do it'] },
    });
  });

  it('leaves a session that can be answered and has a result', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startSlowly(scene);

    process.init();
    const asked = process.ask();
    const requestId = await openRequest(scene, sessionId);
    await scene.callJson('claude_code_respond', { requestId, decision: 'allow', waitMs: 0 });
    process.result({ result: 'done' });

    expect(await asked).toMatchObject({ decision: 'allow' });
    expect(await scene.callJson('claude_code_check', { sessionId })).toMatchObject({
      status: 'idle',
      result: { outcome: 'completed', result: 'done' },
    });
  });

  it('leaves a session that can be cancelled', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startSlowly(scene);

    await scene.callJson('claude_code_session', { action: 'cancel', sessionId });

    expect(process.hasExited).toBe(true);
    expect(await scene.callJson('claude_code_check', { sessionId })).toMatchObject({ status: 'cancelled' });
  });

  it.each<[string, (process: FakeProcess, scene: ToolScene) => void, Json]>([
    [
      'exits',
      (process) => process.exit({ reason: 'Claude Code exited with code 1', stderrTail: 'no luck' }),
      { errorSubtype: 'crashed', result: expect.stringContaining('no luck') as string },
    ],
    [
      'takes too long',
      (_process, { clock }) => clock.advance(9_000),
      { errorSubtype: 'crashed', result: expect.stringContaining('not ready within') as string },
    ],
    [
      'is not signed in',
      (process) =>
        process.exit({
          refusal: new AppError('not_signed_in', {
            executable: 'claude',
            configDir: undefined,
            isStart: true,
          }),
        }),
      { errorSubtype: 'not_signed_in', result: expect.stringContaining('not signed in') as string },
    ],
  ])('leaves a session that says how its start failed: Claude Code %s', async (_what, fail, result) => {
    const scene = await createToolScene();
    const { sessionId, process } = await startSlowly(scene);

    fail(process, scene);

    expect(await scene.callJson('claude_code_check', { sessionId })).toMatchObject({
      status: 'error',
      result: { outcome: 'failed', ...result },
    });
  });

  it('leaves a session that a reply starts again', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startSlowly(scene);
    process.exit();

    const replied = scene.callJson('claude_code_reply', { sessionId, prompt: 'again', waitMs: 5_000 });
    const next = await scene.backend.process(1);
    await next.prompt(0);
    next.init();
    next.result({ result: 'done' });

    expect(next.launch).toMatchObject({ claudeSessionId: sessionId, from: { type: 'start' } });
    expect(await replied).toMatchObject({ status: 'idle', result: { result: 'done' } });
  });
});

it('still answers with the error of a start that has failed in time', async () => {
  const scene = await createToolScene();
  const started = scene.call('claude_code', { prompt: 'do it', waitMs });
  const process = await scene.backend.process(0);
  await process.prompt(0);

  process.exit({ reason: 'Claude Code exited with code 1', stderrTail: 'no luck' });
  const answer = await started;

  expect(answer).toMatch(/^Error \[.*no luck/s);
  expect(scene.manager.list()).toEqual([]);
});

it('does not wait for other starts that hang', async () => {
  const scene = await createToolScene({ permits: new Permits(2) });
  const hanging = [1, 2].map(() => scene.callJson('claude_code', { prompt: 'hang', waitMs: 5_000 }));
  await scene.backend.process(1);

  const third = scene.callJson('claude_code', { prompt: 'do it', waitMs });
  await scene.clock.pass(waitMs);

  expect(await third).toMatchObject({ status: 'running' });
  expect(scene.backend.processes).toHaveLength(2);

  // Two seconds after their start, the others give way.
  scene.clock.advance(1_000);
  const process = await scene.backend.process(2);
  expect((await process.prompt(0)).text).toBe('do it');
  scene.clock.advance(3_000);
  await Promise.all(hanging);
});

it('cancels the session at once when the caller has gone', async () => {
  const scene = await createToolScene();
  const controller = new AbortController();
  const started = scene.call(
    'claude_code',
    { prompt: 'do it', waitMs: 40_000 },
    undefined,
    controller.signal,
  );
  const process = await scene.backend.process(0);
  await process.prompt(0);

  controller.abort();
  await started;

  expect(process.hasExited).toBe(true);
  expect(scene.manager.list().map(({ view }) => view.state.status)).toEqual(['cancelled']);
});

it.each([
  ['claude_code', asyncTools],
  ['claude_create_session', sessionsTools],
] as const)(
  '%s answers before its client gives up, even if it does not wait for a result',
  async (name, tools) => {
    const scene = await createToolScene({ policy: { ...plainPolicy, startTimeoutMs: 600_000 } });
    const started = scene.call(name, { prompt: 'do it' }, tools);
    const process = await scene.backend.process(0);
    await process.prompt(0);

    scene.clock.advance(45_000);

    expect(parse(await started)).toMatchObject({ status: 'running' });
    expect(process.hasExited).toBe(false);
  },
);

/** A session that rests after its first turn and can be forked. */
async function startResting(scene: Awaited<ReturnType<typeof createToolScene>>) {
  const { sessionId, process } = await startSlowly(scene);
  process.init();
  process.result();
  await aMoment();
  await writeTranscript(scene, sessionId);
  return { sessionId, process };
}

it.each([
  ['claude_code_reply', 'prompt', asyncTools],
  ['claude_send_message', 'message', sessionsTools],
] as const)('%s ends a copy whose id its caller never learns', async (name, key, tools) => {
  const scene = await createToolScene();
  const { sessionId, process } = await startResting(scene);
  const controller = new AbortController();
  const args = { sessionId, [key]: 'other', forkSession: true };
  const forked = scene.call(name, args, tools, controller.signal);
  const copy = await scene.backend.process(1);
  await copy.prompt(0);

  controller.abort();
  await forked;

  expect([process.hasExited, copy.hasExited]).toEqual([false, true]);
  const states = scene.manager.list().map(({ id, view }) => [id === sessionId, view.state.status]);
  expect(new Map(states as [boolean, string][])).toEqual(
    new Map([
      [true, 'idle'],
      [false, 'cancelled'],
    ]),
  );
});

it('answers for a fork within its wait, too', async () => {
  const scene = await createToolScene();
  const { sessionId } = await startResting(scene);

  const forked = scene.callJson('claude_code_reply', {
    sessionId,
    prompt: 'other',
    forkSession: true,
    waitMs,
  });
  await scene.backend.process(1);
  await scene.clock.pass(waitMs);

  expect(await forked).toMatchObject({ status: 'running' });
  expect((await forked)['sessionId']).not.toBe(sessionId);
});
