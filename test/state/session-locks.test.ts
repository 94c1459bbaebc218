import { randomUUID } from 'node:crypto';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Servers } from '../../src/state/server-mark.js';
import { FolderLocks, isHolder, type SessionLock } from '../../src/state/session-locks.js';
import { tempHome } from '../history/support/temp-home.js';
import type { Claim } from './support/lock-contender.js';

const sessionId = randomUUID();

interface Machine {
  readonly folder: string;
  /** Start times of live processes. */
  readonly alive: Map<number, string>;
  readonly server: (pid: number) => FolderLocks;
}

async function machine(): Promise<Machine> {
  const { root } = tempHome();
  const folder = join(root, 'locks');
  const alive = new Map([
    [10, 'mon 10:00'],
    [11, 'mon 11:00'],
  ]);
  const startTimeOf = async (pid: number) => alive.get(pid);
  return {
    folder,
    alive,
    server: (pid) => new FolderLocks({ folder, servers: new Servers({ pid, startTimeOf }) }),
  };
}

async function taken(locks: FolderLocks, id = sessionId): Promise<SessionLock> {
  const lock = await locks.take(id);
  if (isHolder(lock)) throw new Error(`held by ${lock.pid}`);
  return lock;
}

it('locks a session for one server, and for the next after its release', async () => {
  const { server, folder } = await machine();
  const [a, b] = [server(10), server(11)];

  const lock = await taken(a);
  expect(await b.take(sessionId)).toEqual({ pid: 10 });
  expect(await b.holderOf(sessionId)).toEqual({ pid: 10 });
  expect(isHolder(await b.take(randomUUID()))).toBe(false);
  await lock.release();
  await lock.release();
  expect(await b.holderOf(sessionId)).toBeUndefined();
  const next = await taken(b);
  await lock.release();

  expect(await a.take(sessionId)).toEqual({ pid: 11 });
  await next.release();
  expect(await readdir(folder)).toHaveLength(1);
});

it('locks a session once within a server too', async () => {
  const { server } = await machine();
  const locks = server(10);
  await taken(locks);

  expect(await locks.take(sessionId)).toEqual({ pid: 10 });
});

it.each([
  ['has exited', undefined],
  ['has exited and its pid was reused', 'tue 09:00'],
])('is taken over when its holder %s', async (_name, startTime) => {
  const { server, alive } = await machine();
  const old = await taken(server(10));
  if (startTime === undefined) alive.delete(10);
  else alive.set(10, startTime);

  await taken(server(11));
  await old.release();

  expect(await server(10).holderOf(sessionId)).toEqual({ pid: 11 });
});

it('removes what killed servers left behind, and nothing else', async () => {
  const { server, alive, folder } = await machine();
  const other = randomUUID();
  await taken(server(10), other);
  await taken(server(11), randomUUID());
  const unfinished = join(folder, `.10.${'0'.repeat(16)}.${'0'.repeat(12)}`);
  await mkdir(unfinished);
  await writeFile(join(folder, 'note.txt'), 'not ours');
  alive.delete(10);
  alive.set(12, 'mon 12:00');

  await taken(server(12));

  await expect.poll(async () => (await readdir(folder)).length).toBe(3);
  expect(await readdir(folder)).toEqual(expect.arrayContaining([sessionId, 'note.txt']));
});

it('fails if it cannot write', async () => {
  const { server, folder } = await machine();
  await writeFile(folder, 'a file where the folder should be');

  await expect(server(10).take(sessionId)).rejects.toThrow();
});

it('has exactly one winner when many servers find a dead holder', async () => {
  const { server, alive } = await machine();
  const pids = Array.from({ length: 12 }, (_, index) => 100 + index);
  for (const pid of pids) alive.set(pid, `start of ${pid}`);
  for (let round = 0; round < 30; round += 1) {
    alive.set(10, `round ${round}`);
    await taken(server(10));
    alive.delete(10);

    const results = await Promise.all(pids.map((pid) => server(pid).take(sessionId)));

    const winners = results.filter((result) => !isHolder(result));
    expect(winners).toHaveLength(1);
    await Promise.all(winners.map((lock) => (lock as SessionLock).release()));
  }
});

it('never has two holders among real processes that take, release and die', async () => {
  const { folder } = await machine();
  const contender = new URL('support/lock-contender.ts', import.meta.url);
  const run = async (name: string): Promise<Claim[]> => {
    const child = fork(contender, [folder, sessionId], { execArgv: ['--import', 'tsx'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [claims] = (await once(child, 'message')) as [Claim[]];
    return claims.map((claim) => ({ ...claim, name }));
  };
  // Each generation is killed, possibly while it holds the lock, and the next one continues with what it left.
  const claims: Claim[] = [];
  for (const generation of [1, 2]) {
    claims.push(...(await Promise.all(['a', 'b'].map((name) => run(`${name}${generation}`)))).flat());
  }

  const inOrder = claims.toSorted((one, two) => one.from - two.from);
  const overlaps = inOrder.filter((claim, index) => claim.from < (inOrder[index - 1]?.to ?? 0));
  expect(overlaps).toEqual([]);
  expect(new Set(claims.map(({ name }) => name)).size).toBe(4);
});
