import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { endLaunches } from '../../../src/backends/launches/end-launches.js';
import { watch } from '../../../src/backends/launches/watchdog.js';
import type { ProcessIdentity } from '../../../src/core/processes.js';
import { played, ProcessWorld } from './process-world.js';

const marker = 'DEPTH=1.00000000-0000-4000-8000-000000000001';
const other = 'DEPTH=1.00000000-0000-4000-8000-000000000002';
const claude = { pid: 10, startTime: '10' };

describe.concurrent('the processes of a launch', () => {
  it('end with Claude Code when it obeys, and what it leaves is killed', async () => {
    const world = new ProcessWorld([
      played(10, { marker }),
      // It has left its session and cleared its environment.
      played(11, { ppid: 10 }),
      played(12, { marker }),
      played(20, { marker: other }),
    ]);

    await endLaunches([{ marker, claude }], world);

    expect(world.signals).toEqual(['SIGTERM 10', 'SIGKILL 11', 'SIGKILL 12']);
    expect(world.pids).toEqual([20]);
  });

  it('are killed when Claude Code ignores the request', async () => {
    const world = new ProcessWorld([played(10, { marker, isStubborn: true }), played(11, { ppid: 10 })]);

    await endLaunches([{ marker, claude }], world);

    expect(world.signals).toEqual(['SIGTERM 10', 'SIGKILL 10', 'SIGKILL 11']);
    expect(world.pids).toEqual([]);
  });

  it('spare a process that has the pid of Claude Code by chance', async () => {
    const world = new ProcessWorld([played(10, { startTime: '99' }), played(11, { ppid: 10 })]);

    await endLaunches([{ marker, claude }], world);

    expect(world.signals).toEqual([]);
  });

  it('are found by their marker when the server died while it started Claude Code', async () => {
    const world = new ProcessWorld([]);
    const ending = endLaunches([{ marker }], world);
    world.alive = [played(10, { marker })];

    await ending;

    expect(world.pids).toEqual([]);
  });

  it('end as a tree where the system has a command for it', async () => {
    const world = new ProcessWorld([played(10), played(11, { ppid: 10 })]);
    world.killTree = async (pid) => {
      world.alive = [];
      world.signals.push(`tree ${pid}`);
      return true;
    };

    await endLaunches([{ marker, claude }], world);

    expect(world.signals).toEqual(['tree 10']);
  });

  it('are found where Claude Code has ended with its server, and the system still knows its children', async () => {
    const world = new ProcessWorld([played(11, { ppid: 10 }), played(20, { marker: other })]);
    const gone: ProcessIdentity[] = [];
    world.killTree = async () => true;
    world.survivorsOf = async (one) => {
      gone.push(one);
      return world.alive.filter(({ ppid }) => ppid === one.pid);
    };

    await endLaunches([{ marker, claude }], world);

    expect({ gone, signals: world.signals, left: world.pids }).toEqual({
      gone: [claude],
      signals: ['SIGKILL 11'],
      left: [20],
    });
  });

  it('are reported when one of them cannot be ended, after all launches were tried', async () => {
    const world = new ProcessWorld([played(10, { marker }), played(20, { marker: other })]);
    const { killProcesses } = world;
    world.killProcesses = (list) => killProcesses(list.filter(({ pid }) => pid !== 20));

    await expect(endLaunches([{ marker: other }, { marker, claude }], world)).rejects.toThrow(
      'these processes could not be ended: 20',
    );
    expect(world.pids).toEqual([20]);
  });
});

describe('the watchdog', () => {
  async function serve(lines: string, world: ProcessWorld): Promise<void> {
    const input = new PassThrough();
    const watching = watch(input, world);
    input.end(lines);
    await watching;
  }

  it('ends what the server has left, when its pipe ends', async () => {
    const world = new ProcessWorld([played(10, { marker }), played(20, { marker: other })]);
    const lines = [{ marker }, { marker: other }, { marker, claude }, { ended: other }];

    await serve(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`, world);

    expect(world.pids).toEqual([20]);
  });

  it.each([`{"marker":"${marker}"`, 'null\n', '{"marker":"HOME=/home/u"}\n', '{"claude":{"pid":10}}\n'])(
    'ends nothing because of a line that the server did not write in full: %j',
    async (line) => {
      const world = new ProcessWorld([played(10, { marker }), played(20, { marker: 'HOME=/home/u' })]);

      await serve(line, world);

      expect(world.signals).toEqual([]);
    },
  );
});
