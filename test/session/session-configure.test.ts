import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { resolveClaudeHome, type ClaudeHome } from '../../src/history/claude-home.js';
import type { Session } from '../../src/session/session.js';
import { deferred } from '../kit/deferred.js';
import { CountedLocks } from '../kit/locks.js';
import { createScene, idleScene, reply } from './session-scene.js';

async function tempClaudeHome(): Promise<ClaudeHome> {
  const home = await mkdtemp(join(tmpdir(), 'session-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return resolveClaudeHome({ home });
}

const acts: [string, (session: Session) => Promise<unknown>][] = [
  ['cancel', (session) => session.cancel()],
  ['change', (session) => session.configure({ permissionMode: 'plan' })],
];

it.each(acts)(
  'a %s of a session without a process is refused if its lock cannot be created',
  async (_what, act) => {
    const locks = new CountedLocks();
    const { session, process } = await idleScene({ locks });
    process.exit();
    await expect.poll(() => locks.ours.size).toBe(0);
    locks.failure = new Error('ENOSPC');
    const { options } = session.view;

    await expect(act(session)).rejects.toMatchObject({ reason: 'session_not_lockable' });
    expect(session.view).toMatchObject({ state: { status: 'idle' }, options });
  },
);

it.each(acts)(
  'a %s of a session that ran here is refused while a terminal has it open',
  async (_what, act) => {
    const claudeHome = await tempClaudeHome();
    const { session, process: claude } = await idleScene({ claudeHome });
    claude.exit();
    await mkdir(claudeHome.sessionsDir, { recursive: true });
    const owner = { pid: process.ppid, sessionId: session.id };
    await writeFile(join(claudeHome.sessionsDir, `${process.ppid}.json`), JSON.stringify(owner));
    const { options } = session.view;

    await expect(act(session)).rejects.toEqual(
      new AppError('session_open_elsewhere', { holder: 'Claude Code', pid: process.ppid }),
    );
    expect(session.view).toMatchObject({ state: { status: 'idle' }, options });
  },
);

it('a change of the mode is refused if a reply claims the session while the record is read', async () => {
  const asked = deferred();
  const read = deferred();
  const { session, backend } = createScene({
    compared: () => {
      asked.resolve();
      return read.promise;
    },
    seed: { isRestored: true, state: { status: 'idle', outcome: undefined } },
  });
  const { options } = session.view;

  const changed = session.configure({ permissionMode: 'plan' }).catch((error: unknown) => error);
  await asked.promise;
  const replied = reply(session, 'second', { options, base: options });
  read.resolve();
  const refused = await changed;
  await replied;

  expect(refused).toMatchObject({ reason: 'session_busy' });
  expect((await backend.process(0)).launch.options.permissionMode).toBe('default');
});

it.each([{ permissionMode: 'plan' }, { model: 'another' }] as const)(
  'a reply that was resolved before %o was set is refused, and leaves it in place',
  async (change) => {
    const { session, process } = await idleScene();
    process.exit();
    const { options } = session.view;
    await session.configure(change);

    const replied = reply(session, 'second', { options, base: options });

    await expect(replied).rejects.toEqual(
      new AppError('session_changed', { sessionId: session.id, what: 'options' }),
    );
    expect(session.view.options).toEqual({ ...options, ...change });
  },
);

it('a reply that was resolved before a mode was set runs if it asks for that mode', async () => {
  const { session, process, backend } = await idleScene();
  process.exit();
  const base = session.view.options;
  await session.configure({ permissionMode: 'plan' });

  await reply(session, 'second', { options: { ...base, permissionMode: 'plan' }, base });

  expect((await backend.process(1)).launch.options.permissionMode).toBe('plan');
});
