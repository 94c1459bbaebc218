import { randomUUID } from 'node:crypto';
import { createHook } from 'node:async_hooks';
import { linkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findLiveOwner, type LiveOwnerQuestion } from '../../src/history/live-owner.js';
import { put, tempHome } from './support/temp-home.js';

const sessionId = randomUUID();
const startTimeOf = async () => '100';
const alive = { pid: 4711, sessionId, procStart: '100' };

it('finds the process that has the session open', async () => {
  const ask = await withEntries({
    '4710.json': { ...alive, pid: 4710, sessionId: randomUUID() },
    '4711.json': alive,
  });

  expect(await ask()).toEqual({ pid: 4711 });
});

it('finds an entry with the start time in the Windows field, or without one', async () => {
  const { procStart, ...bare } = alive;

  expect(await (await withEntries({ '4711.json': { ...bare, procStartFt: procStart } }))()).toEqual({
    pid: 4711,
  });
  expect(await (await withEntries({ '4711.json': bare }))()).toEqual({ pid: 4711 });
});

it('skips our own process, dead processes and reused pids', async () => {
  const ask = await withEntries({ '4711.json': alive });

  expect(await ask({ ownPids: new Set([4711]) })).toBeUndefined();
  expect(await ask({ startTimeOf: async () => undefined })).toBeUndefined();
  expect(await ask({ startTimeOf: async () => '200' })).toBeUndefined();
});

it('continues after a stale entry', async () => {
  const ask = await withEntries({ '1000.json': { ...alive, pid: 1000, procStart: '7' }, '4711.json': alive });

  expect(await ask()).toEqual({ pid: 4711 });
});

it('ignores files that are not entries', async () => {
  const ask = await withEntries({
    '1.json': { ...alive, pid: 1 },
    '2.json': { ...alive, pid: '4711' },
    '3.json': { ...alive, pid: 47.11 },
    '4.json': '{"pid":4711,"sess',
    '5.json': 'null',
    '4711.abc.key': alive,
  });

  expect(await ask()).toBeUndefined();
});

it('ignores an entry that is far too long', async () => {
  const long = { ...alive, more: 'x'.repeat(20_000) };

  expect(await (await withEntries({ '4711.json': long }))()).toBeUndefined();
});

it('reads the newest entries only, if there are very many', async () => {
  const stale = Object.fromEntries(
    Array.from({ length: 501 }, (_, index) => [`${10_000 + index}.json`, { ...alive, procStart: '7' }]),
  );
  const reads: number[] = [];
  const ask = await withEntries({ ...stale, '4711.json': alive });

  const owner = await ask({
    startTimeOf: async (pid) => {
      reads.push(pid);
      return '100';
    },
  });

  expect(owner).toEqual({ pid: 4711 });
  expect(reads.length).toBeLessThanOrEqual(500);
});

it('looks at a bounded number of files, however many there are', async () => {
  const { claudeHome } = tempHome();
  const entry = JSON.stringify({ ...alive, sessionId: randomUUID() });
  await putMany(claudeHome.sessionsDir, entry, 12_000, '.json');
  const works = fileWorks();

  await findLiveOwner({ claudeHome, claudeSessionId: sessionId, ownPids: new Set(), startTimeOf });

  expect(works()).toBeGreaterThan(4_000);
  expect(works()).toBeLessThan(10_000);
});

it('finds the process among very many files that are not entries', async () => {
  const { claudeHome } = tempHome();
  await put(join(claudeHome.sessionsDir, '4711.json'), JSON.stringify(alive));
  await putMany(claudeHome.sessionsDir, 'key', 15_000, '.key');

  const owner = await findLiveOwner({
    claudeHome,
    claudeSessionId: sessionId,
    ownPids: new Set(),
    startTimeOf,
  });

  expect(owner).toEqual({ pid: 4711 });
});

it('finds no owner without a registry', async () => {
  const { claudeHome } = tempHome();

  expect(
    await findLiveOwner({ claudeHome, claudeSessionId: sessionId, ownPids: new Set(), startTimeOf }),
  ).toBeUndefined();
});

/** Counts what is asked of the file system from now on. */
function fileWorks(): () => number {
  let count = 0;
  const hook = createHook({ init: (_id, type) => void (type === 'FSREQPROMISE' && (count += 1)) }).enable();
  onTestFinished(() => void hook.disable());
  return () => count;
}

/** Links are made much faster than files. NTFS allows 1,023 to one file. */
async function putMany(folder: string, text: string, count: number, ending: string): Promise<void> {
  for (let start = 10_000; start < 10_000 + count; start += 1_000) {
    const source = join(folder, `${start}${ending}`);
    await put(source, text);
    for (let pid = start + 1; pid < start + 1_000; pid += 1)
      linkSync(source, join(folder, `${pid}${ending}`));
  }
}

async function withEntries(entries: Readonly<Record<string, object | string>>) {
  const { claudeHome } = tempHome();
  await mkdir(join(claudeHome.sessionsDir, '9.json'), { recursive: true });
  for (const [name, entry] of Object.entries(entries)) {
    await put(join(claudeHome.sessionsDir, name), typeof entry === 'string' ? entry : JSON.stringify(entry));
  }
  return (changes: Partial<LiveOwnerQuestion> = {}) =>
    findLiveOwner({
      claudeHome,
      claudeSessionId: sessionId,
      ownPids: new Set(),
      startTimeOf: async () => '100',
      ...changes,
    });
}
