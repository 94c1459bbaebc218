/** A prompt is sent when it is on record, and Claude Code starts meanwhile. */
import { describe, expect, it } from 'vitest';
import { deferred } from '../kit/deferred.js';
import { createScene } from './session-scene.js';

describe('while the first prompt is written to disk', () => {
  it('Claude Code starts, and gets the prompt afterwards', async () => {
    const disk = deferred();
    const { session, backend } = createScene({ disk: disk.promise });
    const started = session.start({ text: 'first' });

    const process = await backend.process(0);
    const sentBefore = [...process.prompts];
    disk.resolve();
    const sent = await process.prompt(0);
    process.init();
    await started;

    expect([sentBefore, sent]).toMatchObject([[], { text: 'first' }]);
  });

  it('an interrupt ends Claude Code without a prompt', async () => {
    const disk = deferred();
    const { session, backend } = createScene({ disk: disk.promise });
    const started = session.start({ text: 'first' });
    const process = await backend.process(0);

    const interrupted = session.interrupt();
    disk.resolve();
    await Promise.all([started, interrupted, process.gone]);

    expect([process.prompts, session.view.state]).toEqual([[], { status: 'idle', outcome: 'interrupted' }]);
  });
});

it('a turn with a budget that cannot be recorded ends Claude Code without a prompt', async () => {
  const full = deferred();
  const disk = full.promise.then(() => Promise.reject(new Error('no space left')));
  const { session, backend } = createScene({ disk, options: { maxBudgetUsd: 1 } });
  const refused = expect(session.start({ text: 'first' })).rejects.toMatchObject({ reason: 'not_saved' });
  const process = await backend.process(0);

  full.resolve();

  await refused;
  expect([process.prompts, process.hasExited]).toEqual([[], true]);
});
