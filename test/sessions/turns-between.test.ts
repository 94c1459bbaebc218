/** A server waits for the lock of a session while another one still uses it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SessionId } from '../../src/core/ids.js';
import { resolveClaudeHome } from '../../src/history/claude-home.js';
import { plainCaller } from '../kit/callers.js';
import { freeLocks } from '../kit/locks.js';
import { createManagerScene, startIn, writeTranscript, type ManagerScene } from './manager-scene.js';

const plainReply = { forkSession: false, whenBusy: 'reject' } as const;

/** A server, and a second one that gets the lock only after `before`. */
async function twoServers(before: (first: ManagerScene, id: SessionId) => Promise<unknown>) {
  const first = await createManagerScene();
  const { session, process } = await startIn(first);
  await writeTranscript(first, session.id);
  process.result({ costUsd: 0.5 });
  process.exit();
  await first.manager.saved();
  let isDone = false;
  const locks: typeof freeLocks = {
    ...freeLocks,
    take: async (id) => {
      if (!isDone) await before(first, session.id);
      isDone = true;
      return freeLocks.take(id);
    },
  };
  const claudeHome = resolveClaudeHome({ home: join(first.root, 'home') });
  const conversations = { claudeHome, startTimeOf: async () => undefined, locks };
  return { id: session.id, second: await createManagerScene({ root: first.root, conversations }) };
}

/** A turn of the first server, from its prompt to the exit of its process. */
async function runTurn({ manager, backend }: ManagerScene, id: SessionId): Promise<void> {
  const index = backend.processes.length;
  const replied = manager.reply(id, 'between', plainReply, plainCaller);
  const process = await backend.process(index);
  await process.prompt(0);
  process.init();
  await replied;
  process.result({ costUsd: 0.25 });
  process.exit();
  await manager.saved();
}

async function planHere({ manager, clock }: ManagerScene, id: SessionId): Promise<void> {
  clock.advance(1);
  await manager.controls.configure(id, { permissionMode: 'plan' }, plainCaller);
}

it('a reply is refused if the other server has run a turn meanwhile, and the next one continues after that', async () => {
  const { id, second } = await twoServers(runTurn);
  const { manager, backend, records } = second;

  const refused = await manager.reply(id, 'after', plainReply, plainCaller).catch((error: unknown) => error);
  const replied = manager.reply(id, 'after', plainReply, plainCaller);
  const process = await backend.process(0);
  await process.prompt(0);
  process.init();
  await replied;
  process.result({ costUsd: 0.125 });
  await manager.saved();

  expect(refused).toMatchObject({ reason: 'session_changed' });
  expect(await records.load(id)).toMatchObject({ turn: 3, totals: { costUsd: 0.875 } });
});

it('a reply is refused if the other server has cancelled the session meanwhile', async () => {
  const { id, second } = await twoServers(async ({ manager }, sessionId) =>
    (await manager.find(sessionId)).cancel(),
  );
  const { manager, backend } = second;

  const refused = await manager.reply(id, 'after', plainReply, plainCaller).catch((error: unknown) => error);
  const again = await manager.reply(id, 'after', plainReply, plainCaller).catch((error: unknown) => error);

  expect([refused, again]).toMatchObject([{ reason: 'session_changed' }, { reason: 'session_cancelled' }]);
  expect(backend.processes).toEqual([]);
});

it('a reply is refused if the other server has changed the mode meanwhile, and the next one runs in that mode', async () => {
  const { id, second } = await twoServers(planHere);
  const { manager, backend } = second;

  const refused = await manager.reply(id, 'after', plainReply, plainCaller).catch((error: unknown) => error);
  void manager.reply(id, 'after', plainReply, plainCaller).catch(() => undefined);
  const { launch } = await backend.process(0);

  expect(refused).toMatchObject({ reason: 'session_changed' });
  expect(launch.options.permissionMode).toBe('plan');
});

it('of two changes of the mode at the same moment, neither is lost without a word', async () => {
  const { id, second } = await twoServers(planHere);
  const { manager } = second;

  const change = { permissionMode: 'acceptEdits' } as const;
  const refused = await manager.controls.configure(id, change, plainCaller).catch((error: unknown) => error);
  const shown = (await manager.find(id)).view.options.permissionMode;

  expect(refused).toMatchObject({ reason: 'session_changed' });
  expect(shown).toBe('plan');
});

it('a change of the mode is refused if the other server has run a turn meanwhile', async () => {
  const { id, second } = await twoServers(runTurn);
  const { manager } = second;

  const session = await manager.find(id);
  const refused = await session.configure({ permissionMode: 'plan' }).catch((error: unknown) => error);

  expect(refused).toMatchObject({ reason: 'session_changed' });
  expect((await manager.find(id)).view.options.permissionMode).toBe('default');
});

it('what another server has written is read once, and what it writes later is read as well', async () => {
  const first = await createManagerScene();
  const { manager, records, clock } = first;
  const { session, process } = await startIn(first);
  await writeTranscript(first, session.id);
  process.result({ costUsd: 0.5 });
  process.exit();
  await manager.saved();
  const second = await createManagerScene({ root: first.root });
  await second.records.noteFork(session.id, '0b8f6a52-3c1d-4f7e-9a60-5d2e8c7b1f04');
  await session.configure({ model: 'another' });

  const before = await records.isContinued(session.id);
  const found = await manager.find(session.id);
  const after = await records.isContinued(session.id);
  clock.advance(1);
  await planHere(second, session.id);
  const planned = await manager.find(session.id);

  expect([before, after]).toEqual([true, false]);
  expect(found).toBe(session);
  expect(planned.view.options).toMatchObject({ model: 'another', permissionMode: 'plan' });
});

it('a cancel after a turn that the other server has run meanwhile keeps the turn, and this server shows it', async () => {
  const first = await createManagerScene();
  const { session, process } = await startIn(first);
  await writeTranscript(first, session.id);
  process.result({ costUsd: 0.5 });
  process.exit();
  await first.manager.saved();
  await runTurn(await createManagerScene({ root: first.root }), session.id);

  await session.cancel();
  const { view } = await first.manager.find(session.id);

  const expected = { totals: { turns: 2, costUsd: 0.75 }, lastResult: { turn: 2 } };
  expect(view).toMatchObject({ state: { status: 'cancelled' }, turnNumber: 2, ...expected });
  expect(await first.records.load(session.id)).toMatchObject({ status: 'cancelled', turn: 2, ...expected });
});
