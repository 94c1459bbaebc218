import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { deferred } from '../kit/deferred.js';
import { SessionJournal } from '../../src/state/journal/session-journal.js';

async function createScene() {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const handle = await open(join(folder, 'any'), 'w');
  const sync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'datasync');
  onTestFinished(() => sync.mockRestore());
  await handle.close();
  return { folder, journal: new SessionJournal(join(folder, 'one.jsonl'), async () => undefined), sync };
}

it('waits for the disk when the state of a session changes, but not for its running cost and events', async () => {
  const { journal, sync } = await createScene();
  const running = { status: 'running', cursor: 1, openCostUsd: 0 };

  await journal.save(running, 1);
  const atStart = sync.mock.calls.length;
  for (let cursor = 2; cursor < 10; cursor += 1)
    await journal.save({ ...running, cursor, openCostUsd: cursor }, cursor);
  const whileRunning = sync.mock.calls.length;
  await journal.save({ ...running, status: 'idle', cursor: 10 }, 10);

  expect([atStart, whileRunning, sync.mock.calls.length]).toEqual([1, 1, 2]);
});

it('lets an answer wait for the state of a session, but not for its running cost', async () => {
  const { folder } = await createScene();
  const disk = deferred();
  let isStuck = false;
  const journal = new SessionJournal(join(folder, 'two.jsonl'), () =>
    isStuck ? disk.promise : Promise.resolve(),
  );
  const running = { status: 'running', openCostUsd: 0 };
  await journal.save(running, 1);
  isStuck = true;
  const settled: string[] = [];

  const cost = journal.save({ ...running, openCostUsd: 1 }, 2).then(() => settled.push('cost'));
  await journal.lasting.then(() => settled.push('answer about the cost'));
  const end = journal.save({ ...running, status: 'idle' }, 3);
  const answer = journal.lasting.then(() => settled.push('answer about the end'));
  disk.resolve();
  await Promise.all([cost, end, answer]);

  expect(settled).toEqual(['answer about the cost', 'cost', 'answer about the end']);
});
