/** Turns whose server is gone, at the rung of the state folder. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { SessionId } from '../../../src/core/ids.js';
import { resolveClaudeHome } from '../../../src/history/claude-home.js';
import { projectFolderName } from '../../../src/history/project-folder.js';
import { Recovery } from '../../../src/sessions/records/recovery.js';
import type { EventStore } from '../../../src/state/event-store.js';
import { readJournal } from '../../../src/state/journal/session-journal.js';
import { FolderLocks } from '../../../src/state/session-locks.js';
import { FakeClock } from '../../kit/fake-clock.js';
import { openState } from '../../kit/state.js';
import { plainOptions, plainRecord } from '../../kit/records.js';

const id = '00000000-0000-4000-8000-000000000001' as SessionId;

async function createScene() {
  const stateDir = await mkdtemp(join(tmpdir(), 'recovery-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const clock = new FakeClock(Date.UTC(2026, 0, 1, 12));
  const alive = new Set([10, 11, 12]);
  const claudeHome = resolveClaudeHome({ home: join(stateDir, 'home') });
  const open = async (pid: number) => {
    const state = await openState({ stateDir, clock, pid, alive });
    onTestFinished(() => state.events.close());
    const locks = new FolderLocks({ folder: join(stateDir, 'locks'), servers: state.servers });
    return { ...state, locks, recovery: new Recovery({ ...state, locks, clock, claudeHome }) };
  };
  const dead = await open(12);
  const record = plainRecord(id, {
    updatedAt: clock.now(),
    status: 'running',
    turn: 2,
    cursor: 1,
    totals: { turns: 1, costUsd: 0.25 },
    openTurn: { turn: 2, startedAt: 5, prompts: ['more'] },
    openCostUsd: 0.5,
    server: dead.server,
  });
  return { open, dead, record, alive, clock, claudeHome, folder: join(stateDir, 'sessions') };
}

async function costsIn(folder: string): Promise<readonly number[]> {
  const journal = await readJournal(join(folder, `${id}.jsonl`));
  return (journal?.folded.spent ?? []).map(({ costUsd }) => costUsd);
}

const settled = { status: 'error', turn: 2, cursor: 2, totals: { turns: 1, costUsd: 0.75 } };

it('a cut turn that two servers settle at once is charged and announced once', async () => {
  const { open, dead, record, alive, folder } = await createScene();
  await dead.records.save(record);
  alive.delete(12);
  const [first, second] = [await open(10), await open(11)];

  await Promise.all([first, second, first, second].map(({ recovery }) => recovery.load(id)));
  const found = await Promise.all([first, second].map(({ recovery }) => recovery.load(id)));

  expect(found.map((one) => one?.record)).toMatchObject([settled, settled]);
  expect(found[0]?.events).toMatchObject([{ type: 'error', seq: 2, turn: 2 }]);
  expect(await costsIn(folder)).toEqual([0.5]);
});

it('the end of a cut turn also ends its requests, once', async () => {
  const { open, dead, record, alive, folder } = await createScene();
  const requests = [{ requestId: 'r1', summary: 'Write: a.txt' }];
  await dead.records.save({ ...record, status: 'waiting', requests });
  alive.delete(12);

  const found = await (await open(10)).recovery.load(id);
  // As if the server had been killed before it could save the record.
  const older = await open(9);
  await older.records.save({ ...record, status: 'waiting', requests });
  const again = await (await open(11)).recovery.load(id);

  const ends = [
    { type: 'input_resolved', requestId: 'r1', decision: 'deny', answeredBy: 'shutdown', seq: 2, turn: 2 },
    { type: 'error', errorSubtype: 'server_restarted', seq: 3, turn: 2 },
  ];
  expect(found).toMatchObject({ record: { cursor: 3, voided: ['r1'] }, events: ends });
  expect(again?.events).toMatchObject(ends);
  expect(await costsIn(folder)).toEqual([0.5]);
});

it('a cut turn is charged once by a server that had the session before', async () => {
  const { open, dead, record, alive, folder } = await createScene();
  const { openTurn: _turn, openCostUsd: _cost, server: _server, ...idle } = record;
  const first = await open(10);
  await first.records.save({ ...idle, status: 'idle', turn: 1 });
  await dead.records.save(record);
  alive.delete(12);

  await first.recovery.load(id);
  const again = await first.recovery.load(id);

  expect(again?.record).toMatchObject(settled);
  expect(await costsIn(folder)).toEqual([0.5]);
});

it('a cut turn whose end could not be saved is charged once by the next attempt', async () => {
  const { open, dead, record, alive, folder } = await createScene();
  await dead.records.save(record);
  alive.delete(12);
  const first = await open(10);
  const usage = join(folder, '..', 'usage');
  renameSync(usage, `${usage}.away`);
  writeFileSync(usage, '');

  const unsaved = await first.recovery.load(id);
  rmSync(usage);
  mkdirSync(usage);
  const saved = await first.recovery.load(id);
  const again = await (await open(11)).recovery.load(id);

  expect([unsaved, saved, again].map((one) => one?.record)).toMatchObject([settled, settled, settled]);
  expect(again?.events).toMatchObject([{ type: 'error', seq: 2, turn: 2 }]);
  expect(await costsIn(folder)).toEqual([0.5]);
});

it('a cut turn costs at least what Claude Code has written about it, however long it worked on', async () => {
  const { open, dead, record, alive, claudeHome } = await createScene();
  await dead.records.save(record);
  alive.delete(12);
  const folder = join(claudeHome.projectsDir, projectFolderName(plainOptions.cwd));
  mkdirSync(folder, { recursive: true });
  const answer = (n: number, second: number) => ({
    type: 'assistant',
    timestamp: new Date(second * 1_000).toISOString(),
    message: { id: `m${n}`, model: 'claude-haiku-4-5', usage: { input_tokens: 1_000_000 }, content: [] },
  });
  // Before the turn, in it, and a second part of the same response.
  const lines = [answer(1, 0), answer(2, 9), answer(3, 10), answer(3, 10), { type: 'user' }];
  writeFileSync(
    join(folder, `${id}.jsonl`),
    `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"type`,
  );

  const found = await (await open(10)).recovery.load(id);

  // Two responses of a dollar each, and one call in flight.
  expect(found?.record.lastResult?.totalCostUsd).toBeGreaterThan(2);
  expect(found?.record.lastResult?.totalCostUsd).toBeLessThan(2.5);
});

const result = {
  result: 'Done.',
  isError: false,
  outcome: 'completed',
  turn: 2,
  durationMs: 1,
  numTurns: 1,
  totalCostUsd: 0.25,
  sessionTotalTurns: 2,
  sessionTotalCostUsd: 0.5,
} as const;

it.each([
  [
    'its result is missing',
    {},
    { status: 'error', outcome: 'failed', lastResult: { turn: 2, errorSubtype: 'server_restarted' } },
  ],
  [
    'its result is there',
    { lastResult: result },
    { status: 'idle', outcome: 'completed', lastResult: result },
  ],
])('a turn whose end was written only in part is over: %s', async (_what, written, expected) => {
  const { open, dead, record, alive } = await createScene();
  const { openTurn: _turn, openCostUsd: _cost, server: _server, ...rest } = record;
  await dead.records.save({ ...rest, ...written });
  alive.delete(12);
  const next = await open(10);

  const seen = await next.recovery.load(id);
  const again = await (await open(11)).recovery.load(id);

  expect(seen?.record).toMatchObject({ ...expected, totals: { costUsd: 0.25 } });
  expect(again?.record).toEqual(seen?.record);
  expect(again?.events).toHaveLength(Object.keys(written).length === 0 ? 1 : 0);
});

it('a turn whose end is being written runs there until its server is gone', async () => {
  const { open, dead, record, alive } = await createScene();
  const { openTurn: _turn, openCostUsd: _cost, ...rest } = record;
  await dead.records.save(rest);
  const next = await open(10);

  const early = await next.recovery.load(id);
  alive.delete(12);
  const late = await next.recovery.load(id);

  expect(early).toMatchObject({ elsewhere: 12, record: { status: 'running' } });
  expect(late).toMatchObject({ elsewhere: undefined, record: { status: 'error', outcome: 'failed' } });
});

it('a few sessions are read at a time, however many are asked for', async () => {
  const { open, dead, record, clock, claudeHome } = await createScene();
  await dead.records.save(record);
  const state = await open(10);
  let [now, most] = [0, 0];
  const read = async (): Promise<[]> => {
    now += 1;
    most = Math.max(most, now);
    await otherWork();
    now -= 1;
    return [];
  };
  const events = { read } as unknown as EventStore;
  const recovery = new Recovery({ ...state, events, clock, claudeHome });

  const found = await Promise.all(Array.from({ length: 50 }, () => recovery.load(id)));

  expect(found.every((one) => one?.elsewhere === 12)).toBe(true);
  expect(most).toBeLessThanOrEqual(4);
});
