import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endLeftovers } from '../../../src/backends/launches/end-leftovers.js';
import type { ServerIdentity } from '../../../src/backends/launches/launch-record.js';
import { Launches, type LaunchSettings } from '../../../src/backends/launches/launches.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';
import { played, ProcessWorld } from './process-world.js';

const marker = 'DEPTH=1.00000000-0000-4000-8000-000000000001';
const server: ServerIdentity = { pid: 5, startTime: '5', space: 'here' };

function openLaunches(folder = join(temporaryFolder(), 'launches'), reader?: LaunchSettings['reader']) {
  const told: unknown[] = [];
  const logged: unknown[][] = [];
  const launches = new Launches({
    folder,
    reader,
    watchdog: {
      tell: (launch) => void told.push(launch),
      forget: (ended) => void told.push({ ended }),
    },
    processes: new ProcessWorld([played(10)]),
    server: Promise.resolve(server),
    logger: { log: (...line) => void logged.push(line) },
  });
  return { launches, folder, told, logged };
}

function recordsIn(folder: string): unknown[] {
  return readdirSync(folder).map((name) =>
    JSON.parse(readFileSync(join(folder, name, 'launch.json'), 'utf8')),
  );
}

describe('a launch', () => {
  it('is known to the watchdog and on disk before it starts, and until it has ended', async () => {
    const { launches, folder, told } = openLaunches();
    await Promise.resolve();

    const launch = launches.open(marker);
    const before = { told: [...told], records: recordsIn(folder) };
    await launch.started(10, () => true);
    const after = { told: [...told], records: recordsIn(folder) };
    launch.close();

    const claude = { pid: 10, startTime: '10' };
    expect(before).toEqual({ told: [{ marker }], records: [{ marker, server }] });
    expect(after).toEqual({
      told: [{ marker }, { marker, claude }],
      records: [{ marker, claude, server }],
    });
    expect(told.at(-1)).toEqual({ ended: marker });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of another user is known by that user, who cannot change what is known', async () => {
    const shown = temporaryFolder();
    // Without root, a test can give files only to itself.
    const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const { launches, folder, told } = openLaunches(undefined, { user, folder: shown });
    await Promise.resolve();

    const launch = launches.open(marker);
    const path = launch.write('mcp.json', 'for Claude Code');
    await launch.started(10, () => true);
    const records = recordsIn(folder);
    const [mine = ''] = readdirSync(folder);
    const known = { marker, uid: user.uid };

    expect(told).toEqual([known, { ...known, claude: { pid: 10, startTime: '10' } }]);
    expect(records).toEqual([{ ...known, claude: { pid: 10, startTime: '10' }, server }]);
    expect(readdirSync(join(folder, mine))).toEqual(['launch.json']);
    expect(path.startsWith(shown)).toBe(true);
    launch.close();
    expect([...readdirSync(folder), ...readdirSync(shown)]).toEqual([]);
  });

  it('takes no identity from a process that has exited meanwhile', async () => {
    const { launches, folder, told } = openLaunches();
    const launch = launches.open(marker);

    await launch.started(10, () => false);
    launch.close();
    await launch.started(10, () => true);

    expect(told).toEqual([{ marker }, { ended: marker }]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('stays known when some of its processes may live, and the log says so', () => {
    const { launches, folder, told, logged } = openLaunches();

    launches.open(marker).abandon(new Error('too many open files'));

    expect(told).toEqual([{ marker }]);
    expect(recordsIn(folder)).toHaveLength(1);
    expect(logged).toEqual([
      ['warn', expect.stringContaining('may have survived'), { reason: 'too many open files' }],
    ]);
  });

  it('starts even if it cannot be recorded', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { launches, told, logged } = openLaunches(join(file, 'launches'));

    launches.open(marker).close();

    expect(told).toEqual([{ marker }, { ended: marker }]);
    expect(logged).toMatchObject([['warn', 'a launch could not be recorded', {}]]);
  });
});

describe('what killed servers have left', () => {
  const claude = { pid: 10, startTime: '10' };

  function leave(folder: string, name: string, record?: unknown): string {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    if (record !== undefined) writeFileSync(join(path, 'launch.json'), JSON.stringify(record));
    return path;
  }

  it('is ended and removed', async () => {
    const folder = temporaryFolder();
    const path = leave(folder, '7.abcdef', { marker, claude, server: { ...server, pid: 7, startTime: '1' } });
    const world = new ProcessWorld([played(7), played(10), played(11, { marker }), played(12)]);

    await endLeftovers(folder, world, Promise.resolve(server));

    expect(world.pids).toEqual([7, 12]);
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['of a living server', '5.abcdef', { marker, claude, server }],
    ['of a living server that has not identified itself', '5.abcdef', { marker }],
    ['that is not ours', 'notes', { marker, claude, server: { ...server, pid: 7 } }],
    ['that is not ours', '7.abcdef.bak', { marker, claude, server: { ...server, pid: 7 } }],
  ])('spares a folder %s: %s', async (_whose, name, record) => {
    const folder = temporaryFolder();
    const path = leave(folder, name, record);
    const world = new ProcessWorld([played(5), played(10, { marker })]);

    await endLeftovers(folder, world, Promise.resolve(server));

    expect(world.signals).toEqual([]);
    expect(existsSync(path)).toBe(true);
  });

  it.each([
    ['without a record', undefined],
    ['with a record that we did not write', { marker: 'HOME=/home/u', claude, server }],
    ['of another container', { marker, claude, server: { ...server, space: 'there' } }],
  ])('is removed without a signal: a folder %s', async (_which, record) => {
    const folder = temporaryFolder();
    const path = leave(folder, '7.abcdef', record);
    const world = new ProcessWorld([played(5), played(10, { marker })]);

    await endLeftovers(folder, world, Promise.resolve(server));

    expect(world.signals).toEqual([]);
    expect(existsSync(path)).toBe(false);
  });

  it('ends no children of a process that ended long ago: its pid may have been that of their parent since', async () => {
    const folder = temporaryFolder();
    leave(folder, '7.abcdef', { marker, claude, server: { ...server, pid: 7 } });
    const world = new ProcessWorld([played(5), played(11, { ppid: 10 }), played(12, { marker })]);
    world.killTree = async () => true;
    world.survivorsOf = async ({ pid }) => world.alive.filter(({ ppid }) => ppid === pid);

    await endLeftovers(folder, world, Promise.resolve(server));

    expect(world.signals).toEqual(['SIGKILL 12']);
  });

  it('is nothing when no server has ever started a session', async () => {
    await endLeftovers('/nonexistent', new ProcessWorld([]), Promise.resolve(server));
  });
});
