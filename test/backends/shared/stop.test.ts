import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ClaudeChild } from '../../../src/backends/shared/child.js';
import { endChild } from '../../../src/backends/shared/stop.js';
import type { ProcessInfo, ProcessTable } from '../../../src/core/processes.js';
import { blindRedactor } from '../../kit/redactors.js';

const grandchild: ProcessInfo = { pid: 999_999, ppid: 1, pgid: 1, startTime: '1' };

/** Ends at the end of its input, unless it is stubborn. */
async function startChild(isStubborn = false): Promise<ClaudeChild> {
  const script = isStubborn
    ? `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`
    : `process.stdin.resume(); console.log('up')`;
  const child = new ClaudeChild(
    { command: process.execPath, args: ['-e', script], env: { PATH: process.env['PATH'] } },
    blindRedactor,
  );
  onTestFinished(() => child.kill('SIGKILL'));
  await new Promise((resolve) => child.withPipes().stdout.once('data', resolve));
  return child;
}

/** Records what is done to the processes of a system, instead of doing it. */
function recordingTable(killTree?: (pid: number) => Promise<boolean>) {
  const calls: string[] = [];
  const processes: ProcessTable = {
    startTimeOf: async () => undefined,
    async descendantsOf() {
      calls.push('list');
      return [grandchild];
    },
    findByEnvironment: async () => [],
    terminateProcesses: async () => undefined,
    async killProcesses(list) {
      calls.push(`kill ${list.map(({ pid }) => pid).join(' ')}`);
    },
    ...(killTree && {
      killTree: (pid: number) => {
        calls.push('killTree');
        return killTree(pid);
      },
    }),
  };
  return { calls, table: { processes, marker: 'KEY=value' } };
}

const steps = { quiet: async () => undefined, endInput: () => undefined };

// On Windows, a signal ends a process at once.
it.skipIf(process.platform === 'win32')(
  'lists processes before and after the signal, and kills those that it listed',
  async () => {
    const child = await startChild(true);
    const { calls, table } = recordingTable();

    await endChild(child, table, steps);

    expect(child.hasExited).toBe(true);
    expect(calls).toEqual(['list', 'list', 'kill 999999 999999']);
  },
);

it('ends a stubborn tree with one command where the system has one', async () => {
  const child = await startChild(true);
  const { calls, table } = recordingTable(async (pid) => process.kill(pid, 'SIGKILL'));

  await endChild(child, table, steps);

  expect(child.hasExited).toBe(true);
  expect(calls).toEqual(['list', 'killTree']);
});

it('does not wait for a slow list before it ends the tree', async () => {
  const child = await startChild(true);
  const { table } = recordingTable(async (pid) => process.kill(pid, 'SIGKILL'));
  const processes = { ...table.processes, descendantsOf: () => pause(60_000, [], { ref: false }) };

  await endChild(child, { ...table, processes }, steps);

  expect(child.hasExited).toBe(true);
});

it('kills the children of a process that exited by itself', async () => {
  const child = await startChild();
  const { calls, table } = recordingTable(async () => false);

  await endChild(child, table, steps);

  expect(calls).toEqual(['list', 'kill 999999']);
});

it('kills what a process that has crashed left, where the system still knows its children', async () => {
  const child = await startChild();
  child.kill('SIGKILL');
  await child.exited;
  const { calls, table } = recordingTable(async () => false);
  const claude = { pid: child.pid ?? 0, startTime: '1' };
  const processes: ProcessTable = {
    ...table.processes,
    async survivorsOf(gone) {
      calls.push(`survivors of ${gone.pid === claude.pid ? 'Claude Code' : gone.pid}`);
      return [grandchild];
    },
  };

  await endChild(child, { ...table, processes, claude }, steps);

  expect(calls).toEqual(['survivors of Claude Code', 'kill 999999']);
});

it('kills the process and its children one by one when the command fails', async () => {
  const child = await startChild(true);
  const { calls, table } = recordingTable(async () => false);

  await endChild(child, table, steps);

  expect(child.hasExited).toBe(true);
  expect(calls).toEqual(['list', 'killTree', 'kill 999999']);
});

it('reports that it could not list the descendants, after it has ended the process', async () => {
  const child = await startChild();
  const { table } = recordingTable();
  const processes = { ...table.processes, descendantsOf: () => Promise.reject(new Error('no descriptors')) };

  await expect(endChild(child, { ...table, processes }, steps)).rejects.toThrow('no descriptors');
  expect(child.hasExited).toBe(true);
});

it('skips the polite steps for a suspended process', async () => {
  const child = await startChild();
  const { table } = recordingTable(async (pid) => process.kill(pid, 'SIGKILL'));
  const asked: string[] = [];

  await endChild(child, table, {
    isHalted: true,
    quiet: async () => void asked.push('quiet'),
    endInput: () => void asked.push('endInput'),
  });

  expect(child.hasExited).toBe(true);
  expect(asked).toEqual([]);
});
