import { describe, expect, it } from 'vitest';
import { idleScene, reply, startedScene, statusTexts, untilStatus } from './session-scene.js';

const failed = { outcome: 'failed', errorSubtype: 'other' } as const;

describe('work that Claude Code does before the prompt', () => {
  it('does not answer it, and counts as its own work', async () => {
    const { session, process } = await startedScene();
    process.progress('queued');
    process.answer();

    process.unsolicitedResult({ result: 'the repository says hello', costUsd: 0.5 });
    expect(session.view.state.status).toBe('running');
    process.progress('started');
    process.result({ result: 'hello' });

    expect(session.view.lastResult).toMatchObject({ result: 'hello', turn: 1, sessionTotalCostUsd: 0.51 });
    expect(session.view.lastResult).not.toHaveProperty('startedBy');
    expect(statusTexts(session)).toEqual([
      'Claude Code finished work that it began itself; the prompt is next',
    ]);
  });

  it('does not end the turn when it fails without naming anything', async () => {
    const { session, backend } = await idleScene();
    const [process] = backend.processes;
    await reply(session, 'second');
    await process?.prompt(1);
    process?.progress('queued');

    process?.result(failed, []);

    expect(session.view.state.status).toBe('running');
  });

  it('leaves a failure of the prompt itself recognisable', async () => {
    const { session, process, backend } = await idleScene();
    await reply(session, 'second');
    await backend.processes[0]?.prompt(1);
    process.answer();
    process.unsolicitedResult();

    process.result(failed, []);

    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
  });

  it('is ended by an interrupt together with the prompt that waits behind it', async () => {
    const { session, process } = await idleScene();
    await reply(session, 'second');
    await process.prompt(1);
    process.progress('queued');

    const interrupted = session.interrupt();
    process.unsolicitedResult({ outcome: 'interrupted' });
    process.progress('started');
    process.result({ outcome: 'interrupted' });
    await interrupted;

    expect(process.interrupts).toBe(2);
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'interrupted' });
  });

  it('is not steered: the prompt that waits behind it would be overtaken', async () => {
    const { session, process } = await idleScene();
    await reply(session, 'second');
    await process.prompt(1);
    process.progress('queued');

    await reply(session, 'third', { whenBusy: 'steer' });

    expect(session.view.queued.length).toBe(1);
    expect(process.prompts).toHaveLength(2);
  });
});

describe('a turn that Claude Code begins by itself', () => {
  it('is marked in its result', async () => {
    const { session, process } = await idleScene();

    process.activity('running');
    process.unsolicitedResult({ result: 'the task is done' });

    expect(session.view.lastResult).toMatchObject({ result: 'the task is done', startedBy: 'claude_code' });
  });

  it('continues after an empty result, which only ends one of several notifications', async () => {
    const { session, process } = await idleScene();
    const empty = { result: '', numTurns: 0, costUsd: 0.5 };

    process.activity('running');
    process.unsolicitedResult(empty);
    const during = session.view.state.status;
    process.unsolicitedResult({ result: 'both agents are done' });

    expect(during).toBe('running');
    expect(session.view.lastResult).toMatchObject({
      result: 'both agents are done',
      turn: 2,
      startedBy: 'claude_code',
      sessionTotalCostUsd: 0.52,
    });
  });

  it('leaves the last result in place if it has only an empty one', async () => {
    const { session, process } = await idleScene();
    const { lastResult } = session.view;

    process.unsolicitedResult({ result: '', numTurns: 0 });
    process.activity('running');
    process.unsolicitedResult({ result: '', numTurns: 0 });
    process.activity('idle');

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.view.lastResult).toEqual(lastResult);
  });

  it('does not answer a prompt that was meant to steer it and came too late', async () => {
    const { session, process } = await idleScene();
    process.activity('running');
    await reply(session, 'and this', { whenBusy: 'steer' });

    process.unsolicitedResult({ result: 'the task is done' });
    expect(session.view.state.status).toBe('running');
    process.result({ result: 'this too' });

    expect(session.view.lastResult).toMatchObject({ result: 'this too' });
  });
});

it('ends a turn whose prompt Claude Code has dropped, as a failure', async () => {
  const { session, process } = await startedScene();

  process.progress('completed');
  process.activity('idle');
  await untilStatus(session, 'error');

  expect(session.view.lastResult).toMatchObject({
    isError: true,
    result: 'Claude Code ended its work on the prompt without a result.',
  });
});
