import { SharedBudget } from '../../src/state/money/shared-budget.js';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { resolveClaudeHome, type ClaudeHome } from '../../src/history/claude-home.js';
import { Permits } from '../../src/session/services/permits.js';
import { Slots } from '../../src/session/services/slots.js';
import { CountedLocks } from '../kit/locks.js';
import {
  createScene,
  idleScene,
  reply,
  startedScene,
  startSession,
  untilProcessOrEnd,
  untilStatus,
} from './session-scene.js';

class CountedPermits extends Permits {
  asked = 0;

  override acquire(): Promise<() => void> {
    this.asked += 1;
    return super.acquire();
  }
}

async function tempClaudeHome(): Promise<ClaudeHome> {
  const home = await mkdtemp(join(tmpdir(), 'session-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return resolveClaudeHome({ home });
}

async function writeTranscript({ projectsDir }: ClaudeHome, claudeSessionId: string): Promise<void> {
  await mkdir(join(projectsDir, 'project'), { recursive: true });
  await writeFile(join(projectsDir, 'project', `${claudeSessionId}.jsonl`), '{}\n');
}

async function writeOwner({ sessionsDir }: ClaudeHome, sessionId: string): Promise<void> {
  await mkdir(sessionsDir, { recursive: true });
  await writeFile(join(sessionsDir, '777.json'), JSON.stringify({ pid: 777, sessionId }));
}

describe('a process that started in another folder', () => {
  const init = { type: 'init', claudeSessionId: 'c', tools: [], permissionMode: 'default' } as const;

  it('is stopped, because its folder was swapped after the check', async () => {
    const { session, backend } = createScene();
    const started = session.start({ text: 'first' });
    const refused = expect(started).rejects.toMatchObject({ reason: 'folder_moved' });
    const process = await backend.process(0);
    await process.prompt(0);

    process.signal({ ...init, cwd: '/elsewhere' });

    await refused;
    expect(process.hasExited).toBe(true);
  });

  it('is not one whose folder Claude Code spells in composed characters, nor one that moved later', async () => {
    const decomposed = '/nowhere/cafe\u0301';
    const { session, backend } = createScene({ options: { cwd: decomposed } });
    const started = session.start({ text: 'first' });
    const process = await backend.process(0);
    await process.prompt(0);

    process.signal({ ...init, cwd: decomposed.normalize('NFC') });
    await started;
    process.signal({ ...init, cwd: `${decomposed}/.claude/worktrees/a` });
    process.result();

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
  });
});

describe('a new process', () => {
  it('that does not know the agent ends the turn, and one that does goes on', async () => {
    const scene = await idleScene();
    const options = { ...scene.session.view.options, agent: 'reviewer' };

    await reply(scene.session, 'second', { options });
    const second = await scene.backend.process(1);
    await second.prompt(0);
    second.init([], ['Explore', 'Plan']);
    await untilStatus(scene.session, 'error');
    await reply(scene.session, 'third', { options });
    const third = await scene.backend.process(2);
    await third.prompt(0);
    third.init([], ['reviewer']);
    third.result();

    expect(second.hasExited).toBe(true);
    expect(scene.session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
  });

  it('gets the prompt when the reply changes an option', async () => {
    const scene = await idleScene();

    await reply(scene.session, 'second', { maxTurns: 3 });
    const second = await untilProcessOrEnd(scene, 1);

    if (second === 'turn ended') throw new Error('the turn ended without a process');
    expect(scene.process.hasExited).toBe(true);
    expect(second.launch.options.maxTurns).toBe(3);
    expect(await second.prompt(0)).toMatchObject({ text: 'second' });
    second.init();
    second.result();
    expect(scene.session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
  });

  it('is not needed if the reply repeats the current options', async () => {
    const { session, process, backend } = await idleScene({ options: { maxTurns: 3 } });

    await reply(session, 'second', { maxTurns: 3 });
    await process.prompt(1);

    expect(backend.processes).toHaveLength(1);
  });

  it('gets the prompt while the idle process is being closed', async () => {
    const scene = await idleScene();
    scene.process.lingers = true;
    scene.clock.advance(300_000);

    await reply(scene.session, 'second');
    scene.process.exit();
    const second = await untilProcessOrEnd(scene, 1);

    expect(second).not.toBe('turn ended');
    expect(scene.session.view.state.status).toBe('running');
  });

  it('gets the prompt if the reused process exits before it reacts', async () => {
    const scene = await idleScene();
    await reply(scene.session, 'second');
    await scene.process.prompt(1);

    scene.process.exit({ reason: 'Claude Code was terminated by SIGKILL' });
    const second = await untilProcessOrEnd(scene, 1);

    if (second === 'turn ended') throw new Error('the turn ended without a process');
    expect(await second.prompt(0)).toMatchObject({ text: 'second' });
    expect(scene.session.view.state.status).toBe('running');
  });

  it('is not started if the turn is interrupted before, which ends it', async () => {
    const { session, process, backend } = await idleScene();
    await reply(session, 'second');
    await process.prompt(1);
    process.exit({ reason: 'Claude Code was terminated by SIGKILL' });

    await session.interrupt();

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'interrupted' });
    expect(backend.processes).toHaveLength(1);
  });

  it('does not get the prompt of a turn that the reused process has begun', async () => {
    const scene = await idleScene();
    await reply(scene.session, 'second');
    await scene.process.prompt(1);
    scene.process.init();

    scene.process.exit({ reason: 'Claude Code was terminated by SIGKILL' });

    expect(await untilProcessOrEnd(scene, 1)).toBe('turn ended');
    expect(scene.session.view.lastResult).toMatchObject({ errorSubtype: 'crashed' });
  });
});

describe('a launch', () => {
  it('ignores an invalid id from Claude Code, because ids become part of a path', async () => {
    const { session, process } = await startedScene();

    process.signal({ type: 'init', claudeSessionId: '../../etc', tools: [], permissionMode: 'default' });

    expect(session.view.claudeSessionId).toBe(session.id);
  });

  it('starts a session without a transcript under its id', async () => {
    const { session, process } = await startedScene();

    expect(process.launch).toMatchObject({ claudeSessionId: session.id, from: { type: 'start' } });
  });

  it('starts a session again if it left no transcript', async () => {
    const { session, process, backend } = await idleScene();
    process.exit();

    await reply(session, 'second');

    expect((await backend.process(1)).launch.from).toEqual({ type: 'start' });
  });

  it('resumes a session with a transcript', async () => {
    const claudeHome = await tempClaudeHome();
    const { session, process, backend } = await idleScene({ claudeHome });
    process.exit();
    await writeTranscript(claudeHome, session.id);

    await reply(session, 'second');

    expect((await backend.process(1)).launch.from).toEqual({ type: 'resume' });
  });

  it('forks the parent session first, and resumes the fork later', async () => {
    const parent = {
      claudeSessionId: 'the-parent',
      grants: { calls: [], rules: [] },
      budget: new SharedBudget('the-parent', undefined),
      at: undefined,
      notRestored: [],
      isForeign: false,
    };
    const claudeHome = await tempClaudeHome();
    const { session, process, backend } = await idleScene({ claudeHome, seed: { forkOf: parent } });
    process.exit();
    await writeTranscript(claudeHome, session.id);

    await reply(session, 'second');

    expect(process.launch.from).toEqual({ type: 'fork', claudeSessionId: 'the-parent' });
    expect((await backend.process(1)).launch.from).toEqual({ type: 'resume' });
  });

  it('resumes under the latest id of Claude Code', async () => {
    const claudeHome = await tempClaudeHome();
    const cleared = '12345678-0000-4000-8000-000000000000';
    const { session, process, backend } = await startedScene({ claudeHome });
    process.signal({ type: 'init', claudeSessionId: cleared, tools: [], permissionMode: 'default' });
    process.result();
    process.exit();
    await writeTranscript(claudeHome, cleared);

    await reply(session, 'second');

    expect((await backend.process(1)).launch).toMatchObject({ claudeSessionId: cleared });
    expect(session.id).not.toBe(cleared);
  });
});

describe('a start', () => {
  it('is complete with a result even without an init message', async () => {
    const { session, backend } = createScene();
    const started = session.start({ text: 'first' });
    const process = await backend.process(0);
    await process.prompt(0);

    process.result({ outcome: 'failed', errorSubtype: 'not_signed_in' });

    await started;
    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
  });

  it('is not complete with any other message', async () => {
    const { session, backend, clock } = createScene();
    const started = session.start({ text: 'first' });
    const process = await backend.process(0);
    await process.prompt(0);

    process.event({ type: 'status', text: 'a hook runs' });
    clock.advance(10_000);

    await expect(started).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('a start that takes too long', () => {
  it("fails with the end of Claude Code's error stream", async () => {
    const { session, backend, clock } = createScene({ options: { sessionInitTimeoutMs: 2_000 } });
    const started = session.start({ text: 'first' });
    const process = await backend.process(0);
    await process.prompt(0);
    process.stderrTail = 'waiting for the network';

    clock.advance(2_000);

    await expect(started).rejects.toEqual(
      new AppError('init_timeout', { limitMs: 2000, stderrTail: 'waiting for the network' }),
    );
    expect(process.hasExited).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  it('causes no illegal state transition while its process exits', async () => {
    const { session, backend, clock, illegalMoves } = createScene();
    const started = session.start({ text: 'first' }).catch((error: unknown) => error);
    const process = await backend.process(0);
    await process.prompt(0);
    process.lingers = true;

    clock.advance(10_000);
    // The error is reported first, then the process exits.
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    process.exit();
    await started;

    expect(illegalMoves).toEqual([]);
  });
});

describe('another Claude Code that has the conversation open', () => {
  it('makes a reply fail and changes nothing', async () => {
    const claudeHome = await tempClaudeHome();
    const { session, process } = await idleScene({ claudeHome });
    await writeOwner(claudeHome, session.id);

    await expect(reply(session, 'second')).rejects.toEqual(
      new AppError('session_open_elsewhere', { holder: 'Claude Code', pid: 777 }),
    );
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(process.prompts).toHaveLength(1);
  });

  it('is not one of our own processes', async () => {
    const claudeHome = await tempClaudeHome();
    const { session, process } = await idleScene({ claudeHome });
    await mkdir(claudeHome.sessionsDir, { recursive: true });
    await writeFile(
      join(claudeHome.sessionsDir, 'own.json'),
      JSON.stringify({ pid: process.pid, sessionId: session.id }),
    );

    await reply(session, 'second');

    expect(await process.prompt(1)).toMatchObject({ text: 'second' });
  });

  it('does not leave a prompt queued behind the refused one', async () => {
    const claudeHome = await tempClaudeHome();
    const { session } = await idleScene({ claudeHome });
    await writeOwner(claudeHome, session.id);

    await Promise.allSettled([reply(session, 'second'), reply(session, 'third', { whenBusy: 'queue' })]);

    expect(session.view.queued.length).toBe(0);
  });
});

describe('the slots', () => {
  it('are refused at once if all are busy, and the reply changes nothing', async () => {
    const slots = new Slots(1);
    const idle = await idleScene({ slots, options: { persistSession: false } });
    const other = createScene({ slots });

    await expect(other.session.start({ text: 'first' })).rejects.toMatchObject({
      code: 'RESOURCE_EXHAUSTED',
    });

    expect(idle.process.isStopping).toBe(false);
    expect([other.backend.processes.length, other.session.view.turnNumber]).toEqual([0, 0]);
  });

  it('go to another session if this one is idle, once its process has exited', async () => {
    const slots = new Slots(1);
    const idle = await idleScene({ slots });
    idle.process.lingers = true;
    const other = createScene({ slots });

    const started = startSession(other);
    expect([idle.process.isStopping, other.backend.processes.length]).toEqual([true, 0]);
    idle.process.exit();
    await started;

    expect(idle.session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    await expect(reply(idle.session, 'second')).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' });
  });

  it('are free again after a process exits', async () => {
    const slots = new Slots(1);
    const first = await startedScene({ slots });
    await first.session.cancel();

    const second = await startedScene({ slots });

    expect(second.session.view.state.status).toBe('running');
  });
});

describe('an observer that throws', () => {
  const fails = (): never => {
    throw new Error('the meter is broken');
  };

  it('changes neither the session nor its approvals', async () => {
    const observers = [() => ({ onSignal: fails, onAnswer: fails, onExit: fails })];
    const { session, process, broker } = await startedScene({ observers });

    const asked = process.ask();
    const [request] = session.view.openInputs;
    broker.answer(request?.requestId ?? '', { decision: 'allow' }, 'caller');
    const answer = await asked;
    process.result();
    await session.shutdown();

    expect(answer).toEqual({ decision: 'allow' });
    expect(session.view.lastResult).toMatchObject({ result: 'done', outcome: 'completed' });
    expect(process.hasExited).toBe(true);
  });
});

describe('a reply whose process does not start', () => {
  it('keeps the reason, so that its next step fits', async () => {
    const { session, process, backend, clock } = await idleScene();
    process.exit();
    await reply(session, 'second');
    const next = await backend.process(1);
    await next.prompt(0);
    next.lingers = true;

    clock.advance(10_001);
    await untilStatus(session, 'error');
    next.exit();

    expect(session.view.lastResult?.refusal?.reason).toBe('init_timeout');
  });
});

describe('a process that enters and leaves plan mode', () => {
  it('gets the restrictions of plan mode, and loses them when its plan has been approved', async () => {
    const { session, process } = await startedScene();

    for (const permissionMode of ['default', 'plan', 'plan', 'default'])
      process.signal({ type: 'mode', permissionMode });

    expect(process.followed).toEqual(['plan', 'default']);
    expect(session.view.options.permissionMode).toBe('default');
  });
});

describe('an answer that Claude Code could not write', () => {
  /** A session whose process has exited after two answers, of which its transcript has those. */
  async function answered(...written: readonly string[]) {
    const claudeHome = await tempClaudeHome();
    const scene = await startedScene({ claudeHome });
    const { session, process } = scene;
    const uuids = ['one', 'two'];
    for (const [turn, uuid] of uuids.entries()) {
      if (turn > 0) await reply(session, uuid);
      await process.prompt(turn);
      process.answer(uuid, uuid);
      process.result();
    }
    const folder = join(claudeHome.projectsDir, 'somewhere');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, `${session.id}.jsonl`),
      written.map((uuid) => `{"uuid":"${uuid}"}\n`).join(''),
    );
    process.exit();
    return scene;
  }

  it('is forgotten when its process exits, which callers hear until the turn after the next one begins', async () => {
    const { session, backend } = await answered('two');

    await expect.poll(() => session.view.notSaved).toMatch(/could not write its last answers/);
    await reply(session, 'three');
    const next = await backend.process(1);
    await next.prompt(0);
    next.result();
    const afterwards = session.view.notSaved;
    await reply(session, 'four');

    expect(afterwards).toMatch(/could not write its last answers/);
    expect(session.view.notSaved).toBeUndefined();
  });

  it('is none if its transcript has all of them', async () => {
    const { session } = await answered('one', 'two');

    await session.shutdown();

    expect(session.view.notSaved).toBeUndefined();
  });
});

it('is not started for files to be restored if the session is cancelled while the start waits', async () => {
  const [locks, permits] = [new CountedLocks(), new CountedPermits(1)];
  const options = { enableFileCheckpointing: true };
  const { session, backend, process, slots } = await idleScene({ locks, permits, options });
  process.exit();
  await expect.poll(() => locks.ours.size).toBe(0);
  const release = await permits.acquire();

  const rewound = session
    .rewind({ messageId: 'message', isUnread: false }, { dryRun: true })
    .catch((error: unknown) => error);
  await expect.poll(() => permits.asked).toBe(3);
  await session.cancel();
  release();
  const refused = await rewound;

  expect(refused).toMatchObject({ reason: 'session_cancelled' });
  expect(backend.processes).toHaveLength(1);
  expect([locks.ours.size, slots.isInUse]).toEqual([0, false]);
});
