import { rmSync, statSync, truncateSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import type { SessionId } from '../../src/core/ids.js';
import type { Session } from '../../src/session/session.js';
import { plainLimits } from '../kit/fake-manager.js';
import { putTranscript } from '../history/support/transcripts.js';
import { createManagerScene, startIn, writeTranscript, type ManagerScene } from './manager-scene.js';
import { plainCaller } from '../kit/callers.js';
import { plainPolicy } from '../kit/policy.js';

const unknownId = '99999999-0000-4000-8000-000000000000' as SessionId;
const plainReply = { forkSession: false, whenBusy: 'reject' } as const;

async function recordsOf({ stateDir }: ManagerScene): Promise<string[]> {
  const names = await readdir(join(stateDir, 'sessions')).catch(() => []);
  return names.filter((name) => name.endsWith('.jsonl'));
}

/** The same machine after a restart of the server. */
async function restarted(scene: ManagerScene): Promise<ManagerScene> {
  await scene.manager.shutdown();
  return createManagerScene({ root: scene.root });
}

describe('finding a session', () => {
  it('fails if there is none', async () => {
    const { manager } = await createManagerScene();

    await expect(manager.find(unknownId)).rejects.toEqual(
      new AppError('session_unknown', { sessionId: unknownId }),
    );
  });

  it('returns the session in memory', async () => {
    const scene = await createManagerScene();
    const { session } = await startIn(scene);

    expect(await scene.manager.find(session.id)).toBe(session);
  });

  it('restores state, turn and totals from its record', async () => {
    const before = await createManagerScene();
    const { session, process } = await startIn(before, { model: 'haiku', maxBudgetUsd: 3 });
    process.result({ outcome: 'failed', errorSubtype: 'max_turns', costUsd: 0.5, numTurns: 4 });

    const after = await restarted(before);
    const restored = await after.manager.find(session.id);

    expect(restored.view.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(restored.view.totals).toEqual({ turns: 4, costUsd: 0.5 });
    expect(restored.view.options).toMatchObject({ model: 'haiku', maxBudgetUsd: 3, cwd: before.project });
    expect([restored.view.turnNumber, restored.view.createdAt]).toEqual([1, session.view.createdAt]);
  });

  it('returns one session to two calls that read the record at the same time', async () => {
    const before = await createManagerScene();
    const { session, process } = await startIn(before);
    process.result();

    const after = await restarted(before);
    const [first, second] = await Promise.all([
      after.manager.find(session.id),
      after.manager.find(session.id),
    ]);

    expect(first).toBe(second);
  });

  it('restores a result that is too long for its record from the transcript and the record', async () => {
    const before = await createManagerScene();
    const { session, process } = await startIn(before);
    process.result();
    process.activity('running');
    const result = 'x'.repeat(500_001);
    process.unsolicitedResult({ result, outcome: 'failed', errorSubtype: 'other' });
    const { lastResult } = session.view;
    await writeTranscript(before, session.id, result);

    const after = await restarted(before);

    expect(lastResult).toMatchObject({ startedBy: 'claude_code', outcome: 'failed' });
    expect((await after.manager.find(session.id)).view.lastResult).toEqual(lastResult);
  });

  it('reports a turn as failed if the server stopped during it', async () => {
    const before = await createManagerScene();
    const { session } = await startIn(before);

    const after = await restarted(before);

    expect((await after.manager.find(session.id)).view.state).toEqual({
      status: 'error',
      outcome: 'failed',
    });
  });
});

describe('a resumed session', () => {
  it('is refused if Claude Code could write nothing of it, as on a full disk', async () => {
    const before = await createManagerScene();
    const { session, process } = await startIn(before);
    process.result();
    await before.manager.shutdown();
    await writeTranscript(before, session.id);
    truncateSync(join(before.claudeHome.projectsDir, 'project', `${session.id}.jsonl`));
    const { manager, backend } = await createManagerScene({ root: before.root });

    const refused = manager.reply(session.id, 'more', plainReply, plainCaller);

    await expect(refused).rejects.toMatchObject({ reason: 'conversation_lost' });
    expect(backend.processes).toEqual([]);
  });

  it.each([
    ['a fork that has not begun, and would know nothing of its parent', true],
    ['that of someone else, and its transcript is gone', false],
  ])('is refused if it is %s', async (_what, forkSession) => {
    const before = await createManagerScene();
    const { sessionId } = await putTranscript(before.claudeHome, { cwd: before.project, modifiedAt: 5 });
    const unpaid = await before.manager.reply(
      sessionId as SessionId,
      'more',
      { ...plainReply, forkSession, maxBudgetUsd: 1e-10 },
      plainCaller,
    );
    await before.manager.shutdown();
    rmSync(before.claudeHome.projectsDir, { recursive: true });
    const { manager, backend } = await createManagerScene({ root: before.root });

    const refused = manager.reply(unpaid.id, 'more', { ...plainReply, maxBudgetUsd: 1 }, plainCaller);

    await expect(refused).rejects.toMatchObject({ reason: 'conversation_lost' });
    expect(backend.processes).toEqual([]);
  });

  it('runs a turn that was cut off again from the message at which it continued', async () => {
    const before = await createManagerScene();
    const { session, process } = await startIn(before);
    process.result();
    await writeTranscript(before, session.id);
    const resumeSessionAt = '0b8f6a52-3c1d-4f7e-9a60-5d2e8c7b1f04';
    const diskResumeConfig = { resumeSessionAt };
    await before.manager.reply(session.id, 'branch', { ...plainReply, diskResumeConfig }, plainCaller);
    await before.backend.process(1);
    const { manager, backend } = await restarted(before);

    const again = { ...plainReply, resumeInterrupted: true };
    await manager.reply(session.id, undefined, again, plainCaller);

    const { launch } = await backend.process(0);
    expect(launch.from).toEqual({ type: 'resume', at: resumeSessionAt });
  });

  it("gets the options that today's policy allows", async () => {
    const before = await createManagerScene();
    const { session, process } = await startIn(before, { permissionRequestTimeoutMs: 200_000 });
    process.result();
    await before.manager.shutdown();
    await writeTranscript(before, session.id);
    const policy = { ...plainPolicy, permissionTimeoutMs: 60_000 };
    const after = await createManagerScene({ root: before.root, policy });

    await after.manager.reply(session.id, 'more', plainReply, plainCaller);

    const { launch } = await after.backend.process(0);
    expect(launch.from).toEqual({ type: 'resume' });
    expect(launch.options.permissionRequestTimeoutMs).toBe(60_000);
  });
});

describe('records', () => {
  it('are written for every session that is persisted', async () => {
    const scene = await createManagerScene();
    const { session } = await startIn(scene);
    const other = await startIn(scene, { persistSession: false });

    await scene.manager.shutdown();

    expect(await recordsOf(scene)).toContain(`${session.id}.jsonl`);
    expect(await recordsOf(scene)).not.toContain(`${other.session.id}.jsonl`);
  });
});

describe('cleaning up', () => {
  it('removes an idle session from memory but not from disk', async () => {
    const scene = await createManagerScene();
    const { session, process } = await startIn(scene);
    process.result();
    await scene.manager.saved();

    scene.clock.advance(plainLimits.sessionTtlMs + plainLimits.cleanupIntervalMs);
    await process.stop();
    await scene.records.flush();

    expect(scene.manager.list()).toEqual([]);
    expect(process.hasExited).toBe(true);
    const again = await scene.manager.find(session.id);
    expect(again.view.state).toEqual({ status: 'idle', outcome: 'completed' });
  });

  it('does not remove a session while a reply is being checked', async () => {
    const scene = await createManagerScene();
    const { session, process } = await startIn(scene);
    process.result();
    scene.clock.advance(plainLimits.sessionTtlMs - 1);

    const replied = scene.manager.reply(session.id, 'more', plainReply, plainCaller);
    scene.clock.advance(plainLimits.cleanupIntervalMs * 2);
    await replied;

    expect(scene.manager.list()).toEqual([session]);
  });

  it('does not remove a session that was used, is running, or has background tasks', async () => {
    const scene = await createManagerScene();
    const [running, busy, used] = [await startIn(scene), await startIn(scene), await startIn(scene)];
    for (const { process } of [busy, used]) process.result();
    busy.process.signal({ type: 'tasks', tasks: [{ taskId: 't', text: 'npm run dev' }] });
    scene.clock.advance(plainLimits.sessionTtlMs - 1_000);
    used.process.unsolicitedResult();

    scene.clock.advance(plainLimits.cleanupIntervalMs * 2);

    expect(new Set(scene.manager.list())).toEqual(
      new Set([running, busy, used].map(({ session }) => session)),
    );
  });
});

describe('the memory of all logs', () => {
  it('is bounded: the least recently used idle session drops events that are not pinned', async () => {
    const scene = await createManagerScene({ limits: { ...plainLimits, memoryBytes: 12_000 } });
    const [oldest, running, newest] = [await startIn(scene), await startIn(scene), await startIn(scene)];
    for (const { process } of [oldest, running, newest]) {
      process.event({ type: 'text', text: 'x'.repeat(2_000) });
    }

    oldest.process.result();
    scene.clock.advance(1_000);
    newest.process.result();

    const left = [oldest, running, newest].map(({ session }) =>
      session.view.log.read(0).events.map(({ type }) => type),
    );
    expect(left).toEqual([['result'], ['text'], ['text', 'result']]);
  });
});

describe('the memory of all sessions', () => {
  it('is bounded: those that rest longest leave it, and stay on disk', async () => {
    const scene = await createManagerScene({ limits: { ...plainLimits, memoryBytes: 500_000 } });
    const systemPrompt = 'x'.repeat(200_000);
    const start = async (): Promise<Session> => {
      const session = await scene.manager.start('do it', { systemPrompt, maxBudgetUsd: 1e-10 }, plainCaller);
      scene.clock.advance(1_000);
      return session;
    };
    const working = await startIn(scene, { systemPrompt });

    const [first, second, third] = [await start(), await start(), await start()];
    const left = scene.manager.list();
    const again = await scene.manager.find(first.id);

    expect(new Set(left)).toEqual(new Set([working.session, second, third]));
    expect(again.view.lastResult).toMatchObject({ errorSubtype: 'max_budget' });
    expect(again.view.options.systemPrompt).toBe(systemPrompt);
    expect(scene.manager.list()).not.toContain(second);
  });
});

it('the memory of all sessions is bounded if they have short texts, too', async () => {
  const scene = await createManagerScene({ limits: { ...plainLimits, memoryBytes: 100_000 } });

  for (let count = 0; count < 20; count += 1)
    await scene.manager.start('do it', { maxBudgetUsd: 1e-10 }, plainCaller);

  expect(scene.manager.list().length).toBeLessThan(10);
});

describe('the record of a session', () => {
  it.each([true, false])(
    'stays short, however often its mode is changed (with a process: %s)',
    async (isLive) => {
      const scene = await createManagerScene();
      const { session, process } = await startIn(scene, { systemPrompt: 'x'.repeat(200_000) });
      process.result();
      if (!isLive) await session.closeIfIdle();

      for (let index = 0; index < 30; index += 1)
        await scene.manager.controls.configure(
          session.id,
          { permissionMode: index % 2 === 0 ? 'plan' : 'default' },
          plainCaller,
        );

      const { size } = statSync(join(scene.stateDir, 'sessions', `${session.id}.jsonl`));
      expect(size).toBeLessThan(1_500_000);
      expect(session.view.isLive).toBe(isLive);
    },
  );
});

describe('shutting down the server', () => {
  it('stops every process and keeps every session', async () => {
    const scene = await createManagerScene();
    const [first, second] = [await startIn(scene), await startIn(scene)];
    second.process.result();

    await scene.manager.shutdown();

    expect([first, second].map(({ process }) => process.hasExited)).toEqual([true, true]);
    expect((await recordsOf(scene)).length).toBe(2);
  });

  it('refuses new sessions', async () => {
    const scene = await createManagerScene();
    await scene.manager.shutdown();

    await expect(scene.manager.start('x', {}, plainCaller)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(scene.backend.processes).toEqual([]);
  });

  it('leaves no process running for a reply that was accepted before', async () => {
    const scene = await createManagerScene();
    const { session, process } = await startIn(scene);
    process.result();

    // The reply has passed the first check and is still reading from disk.
    const replied = scene.manager
      .reply(session.id, 'too late', plainReply, plainCaller)
      .catch((error: unknown) => error);
    await scene.manager.shutdown();
    await replied;

    // Its turn, if there is one, ends by itself, because nobody else would end it.
    await vi.waitFor(() => expect(session.view.state.status).not.toBe('running'));
    expect(scene.backend.processes.filter(({ hasExited }) => !hasExited)).toEqual([]);
  });

  // If only starts were checked, a late reply would start a process that is never stopped.
  it('refuses new replies', async () => {
    const scene = await createManagerScene();
    const { session, process } = await startIn(scene);
    process.result();
    await scene.manager.shutdown();

    await expect(scene.manager.reply(session.id, 'more', plainReply, plainCaller)).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('causes no illegal state transition in a session that is starting', async () => {
    const scene = await createManagerScene();
    const started = scene.manager.start('x', {}, plainCaller).catch((error: unknown) => error);
    const process = await scene.backend.process(0);
    await process.prompt(0);
    process.lingers = true;

    const ended = scene.manager.shutdown();
    // The caller gets the error first, then the process exits.
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    process.exit();
    await ended;

    expect(await started).toMatchObject({ code: 'CANCELLED' });
    expect(scene.illegalMoves).toEqual([]);
  });
});
