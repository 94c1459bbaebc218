import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import {
  descendantsOf,
  findByEnvironment,
  isSameProcess,
  killProcesses,
  listProcesses,
  startTimeOf,
  terminateProcesses,
} from '../../src/platform/processes.js';
import { canRunAs, uids, userOf } from '../kit/system-users.js';
import { spawnGroup, spawnIdle, spawnPair, startScript, untilGone } from './spawned.js';

const onLinux = it.runIf(process.platform === 'linux');
const onPosix = it.runIf(process.platform !== 'win32');

it('lists this process with its parent', async () => {
  const processes = await listProcesses();

  expect(processes).toContainEqual(expect.objectContaining({ pid: process.pid, ppid: process.ppid }));
});

onLinux('tells the start time as field 22 of the process record', async () => {
  const stat = await readFile('/proc/self/stat', 'utf8');

  const startTime = await startTimeOf(process.pid);

  expect(startTime).toBe(stat.slice(stat.lastIndexOf(')')).split(' ')[20]);
});

it('finds no start time for a process that has exited', async () => {
  const info = await spawnIdle();
  process.kill(info.pid, 'SIGKILL');
  await untilGone(info);

  expect(await startTimeOf(info.pid)).toBeUndefined();
  expect(await isSameProcess(info)).toBe(false);
});

it('finds descendants at every level, parents first, and no other processes', async () => {
  const { parent, leader, member } = await spawnGroup();
  await spawnIdle();

  expect(await descendantsOf(parent.pid)).toEqual([leader, member]);
});

it('kills a grandchild that runs in a session of its own', async () => {
  const { parent, leader, member } = await spawnGroup();
  const unrelated = await spawnIdle({ detached: true });

  await killProcesses([parent, ...(await descendantsOf(parent.pid))]);

  await Promise.all([parent, leader, member].map(untilGone));
  expect(await isSameProcess(unrelated)).toBe(true);
});

onPosix('kills the whole group of a leader', async () => {
  const { parent, leader, member } = await spawnGroup();

  await killProcesses([leader]);

  await Promise.all([leader, member].map(untilGone));
  expect(await isSameProcess(parent)).toBe(true);
});

onPosix('asks the whole group of a leader to exit', async () => {
  const { parent, leader, member } = await spawnGroup();

  await terminateProcesses([leader]);

  await Promise.all([leader, member].map(untilGone));
  expect(await isSameProcess(parent)).toBe(true);
});

it('kills one member of a group without its leader', async () => {
  const { leader, member } = await spawnGroup();

  await killProcesses([member]);

  await untilGone(member);
  expect(await isSameProcess(leader)).toBe(true);
});

it('spares a process whose pid was listed with another start time', async () => {
  const info = await spawnIdle({ detached: true });

  await killProcesses([{ ...info, startTime: '1' }]);

  expect(await isSameProcess(info)).toBe(true);
});

it('never kills itself or its own group', async () => {
  const self = await describeSelf();
  const child = await spawnIdle();

  await killProcesses([self, { pid: 0, ppid: 0, pgid: 0, startTime: '0' }, { ...child, pgid: self.pgid }]);

  await untilGone(child);
  expect(await isSameProcess(self)).toBe(true);
});

onPosix('kills the leader of its own group alone', async () => {
  const script = fileURLToPath(new URL('kill-parent.ts', import.meta.url));
  const leader = `require('node:child_process').spawn(process.execPath, ['--import', 'tsx', ${JSON.stringify(script)}],
    { stdio: 'inherit' })`;

  const { info, line } = await startScript(leader, { detached: true });

  await untilGone(info);
  expect(line).toBe('outlived 1');
});

it('ignores processes that have exited', async () => {
  const info = await spawnIdle();
  await killProcesses([info]);
  await untilGone(info);

  await expect(killProcesses([info])).resolves.toBeUndefined();
});

onLinux('finds an orphan by a whole entry of its environment', async () => {
  const id = randomUUID();
  const { parent, child } = await spawnPair({ detached: true, env: { TEST_MARKER: id } });
  process.kill(parent.pid, 'SIGKILL');
  await untilGone(parent);

  const orphans = await findByEnvironment(`TEST_MARKER=${id}`);

  // The system may not have given it a new parent yet.
  expect(orphans).toMatchObject([{ pid: child.pid, startTime: child.startTime }]);
  expect(await findByEnvironment(`TEST_MARKER=${id.slice(1)}`)).toEqual([]);
  expect(await findByEnvironment(`MARKER=${id}`)).toEqual([]);
});

onLinux('uses few descriptors, however many look at the same time', async () => {
  const openBefore = countOpen();

  const looks = Array.from({ length: 20 }, (_, index) => findByEnvironment(`TEST_MARKER=${index}`));
  const peaks: number[] = [];
  const watching = setInterval(() => peaks.push(countOpen()), 1);
  await Promise.all(looks);
  clearInterval(watching);

  expect(Math.max(...peaks, openBefore) - openBefore).toBeLessThan(30);
});

function countOpen(): number {
  return readdirSync('/proc/self/fd').length;
}

async function describeSelf() {
  const self = (await listProcesses()).find(({ pid }) => pid === process.pid);
  if (self === undefined) throw new Error('this process is not listed');
  return self;
}

it.skipIf(!canRunAs)('finds the processes of one user only, even for root', async () => {
  const marker = `MARK=${randomUUID()}`;
  const env = { MARK: marker.slice('MARK='.length) };
  const own = await spawnIdle({ env });
  const hers = await spawnIdle({ env, user: userOf('alice') });
  const his = await spawnIdle({ env, user: userOf('bob') });

  expect(await findByEnvironment(marker)).toEqual([own]);
  expect(await findByEnvironment(marker, uids.alice)).toEqual([hers]);
  expect(await findByEnvironment(marker, uids.bob)).toEqual([his]);
  expect(await findByEnvironment(marker, uids.owner)).toEqual([]);
});
