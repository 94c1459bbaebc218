import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LockRequests } from '../../src/state/lock-requests.js';
import { FakeClock } from '../kit/fake-clock.js';
import { until } from '../kit/until.js';

async function createFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'requests-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clock = new FakeClock();
  return { folder, clock, server: () => new LockRequests({ folder, clock }) };
}

it('the holder hears of a request, and the asker hears when it has decided', async () => {
  const { folder, clock, server } = await createFolder();
  const asked: string[] = [];
  const holder = server();
  await holder.noteHeld('one');
  holder.onAsked(async (id) => {
    asked.push(id);
    holder.noteReleased(id);
  });

  await server().ask('one');

  expect(asked).toEqual(['one']);
  expect(await readdir(folder)).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
});

it('a holder that keeps its lock is asked again by the next request', async () => {
  const { server, clock } = await createFolder();
  let times = 0;
  const holder = server();
  await holder.noteHeld('one');
  holder.onAsked(async () => void (times += 1));

  await server().ask('one');
  await server().ask('one');
  holder.noteReleased('one');

  expect(times).toBe(2);
  expect(clock.pendingTimers).toBe(0);
});

it('a request that nobody hears ends after 3 s and leaves nothing', async () => {
  const { folder, clock, server } = await createFolder();
  const asking = server().ask('one');

  await clock.pass(3_000);
  await asking;

  expect(await readdir(folder)).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
});

it('a request from before the lock was taken is not answered', async () => {
  const { folder, server } = await createFolder();
  const asked: string[] = [];
  await writeFile(join(folder, 'one.wanted'), '');
  const holder = server();
  holder.onAsked(async (id) => void asked.push(id));

  await holder.noteHeld('one');
  await holder.noteHeld('two');
  await server().ask('two');
  holder.noteReleased('one');
  holder.noteReleased('two');

  expect(asked).toEqual(['two']);
});

it('a request is found even where the system reports no changes', async () => {
  const { folder, clock } = await createFolder();
  const asked: string[] = [];
  const holder = new LockRequests({ folder: join(folder, 'later'), clock });
  holder.onAsked(async (id) => void asked.push(id));
  // The folder does not exist yet, so it cannot be watched.
  await holder.noteHeld('one');
  await mkdir(join(folder, 'later'));
  await writeFile(join(folder, 'later', 'one.wanted'), '');

  clock.advance(1_500);
  await until('the request is found', () => asked.length > 0);
  holder.noteReleased('one');

  expect(asked).toEqual(['one']);
});
