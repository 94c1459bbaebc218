import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { SessionEvent } from '../../src/core/session/events.js';
import type { EventSource } from '../../src/state/event-store.js';
import { deferred } from '../kit/deferred.js';
import { FakeClock } from '../kit/fake-clock.js';
import { openState } from '../kit/state.js';

const id = '00000000-0000-4000-8000-000000000001';
const otherId = '00000000-0000-4000-8000-000000000002';

async function createScene() {
  const stateDir = await mkdtemp(join(tmpdir(), 'events-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const logged: string[] = [];
  const logger = { log: (_level: string, message: string) => void logged.push(message) };
  const open = async () => {
    const { events: store } = await openState({ stateDir, clock: new FakeClock(), logger });
    onTestFinished(() => store.close());
    return store;
  };
  return { open, logged, fileOf: (name: string) => join(stateDir, 'sessions', 'events', `${name}.jsonl`) };
}

function event(seq: number, text = `${seq}`): SessionEvent {
  return { type: 'status', text, seq, at: 1, turn: 1 };
}

/** A log that has these events. */
function sourceOf(all: readonly SessionEvent[]): EventSource {
  return { read: (cursor) => ({ events: all.filter(({ seq }) => seq > cursor) }) };
}

function events(count: number, text?: string): SessionEvent[] {
  return Array.from({ length: count }, (_, index) => event(index + 1, text));
}

it('events of one session are written although those of another cannot be', async () => {
  const { open, logged, fileOf } = await createScene();
  const store = await open();
  mkdirSync(fileOf(id), { recursive: true });
  const source = sourceOf(events(2));
  store.keep(id, source, 1);
  store.keep(otherId, sourceOf([event(1)]), 1);

  await store.flush();
  const written = await (await open()).read(otherId);
  rmSync(fileOf(id), { recursive: true });
  store.keep(id, source, 2);
  await store.flush();

  expect(written).toEqual([event(1)]);
  expect(await (await open()).read(id)).toEqual([event(1), event(2)]);
  expect(logged).toEqual(['events could not be saved']);
});

it('the newest events are kept in order when the file is full', async () => {
  const { open } = await createScene();
  const store = await open();
  const all = events(30, 'x'.repeat(100_000));

  for (const one of all) {
    store.keep(id, sourceOf([one]), one.seq);
    await store.flush();
  }

  const kept = await (await open()).read(id);
  expect(kept.length).toBeGreaterThanOrEqual(6);
  expect(kept).toEqual(all.slice(-kept.length));
});

it('an event that is longer than a file is kept', async () => {
  const { open } = await createScene();
  const store = await open();
  const long = [event(1), event(2, 'x'.repeat(600_000)), event(3)];

  for (const one of long) {
    store.keep(id, sourceOf([one]), one.seq);
    await store.flush();
  }

  expect(await (await open()).read(id)).toEqual(long);
});

it('events are kept although another server has moved the file away', async () => {
  const { open, fileOf } = await createScene();
  const store = await open();
  const all = events(3);
  for (const one of all) {
    store.keep(id, sourceOf([one]), one.seq);
    await store.flush();
    if (one.seq === 2) await rename(fileOf(id), fileOf(`${id}.older`));
  }

  expect(await (await open()).read(id)).toEqual(all);
});

it('events of more sessions than files may be open are kept', async () => {
  const { open } = await createScene();
  const store = await open();
  const ids = Array.from(
    { length: 70 },
    (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  );
  for (const seq of [1, 2])
    for (const one of ids) {
      store.keep(one, sourceOf([event(seq)]), seq);
      await store.flush();
    }

  const kept = await Promise.all(ids.map(async (one) => (await open()).read(one)));

  expect(kept).toEqual(ids.map(() => [event(1), event(2)]));
});

it('an answer about one session does not wait for events of others', async () => {
  const { open } = await createScene();
  const store = await open();
  store.keep(id, sourceOf([event(1)]), 1);
  store.keep(otherId, sourceOf([event(1)]), 1);

  await store.flush(id);

  const reader = await open();
  expect([await reader.read(id), await reader.read(otherId)]).toEqual([[event(1)], []]);
});

it('many events are written at once, as far as the log still has them', async () => {
  const { open } = await createScene();
  const store = await open();
  const all = events(10_000);
  const source = sourceOf(all.slice(-1_000));

  for (const { seq } of all) store.keep(id, source, seq);

  expect(await store.read(id)).toEqual(all.slice(-1_000));
});

it('answers that wait while a session is written share its next write', async () => {
  const { open } = await createScene();
  const store = await open();
  const all = events(2);
  const reads: number[] = [];
  const written = deferred();
  const source: EventSource = {
    read: (cursor) => {
      reads.push(cursor);
      if (reads.length === 1) queueMicrotask(flushTogether);
      return sourceOf(all).read(cursor);
    },
  };
  function flushTogether(): void {
    store.keep(id, source, 3);
    all.push(event(3));
    void Promise.all([store.flush(), store.flush(), store.flush()]).then(() => written.resolve());
  }
  store.keep(id, source, 1);

  await store.flush();
  await written.promise;

  expect(reads).toEqual([0, 2]);
  expect(await (await open()).read(id)).toEqual(events(3));
});
