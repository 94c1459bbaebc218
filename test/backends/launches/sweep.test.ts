import { expect, it } from 'vitest';
import type { ProcessInfo } from '../../../src/core/processes.js';
import { sweep } from '../../../src/backends/launches/sweep.js';

const process: ProcessInfo = { pid: 7, ppid: 1, pgid: 7, startTime: '1' };

/** Processes that each look at the table finds. After the last, it finds nothing. */
function tableOf(looks: readonly (readonly ProcessInfo[])[]) {
  const killed: number[] = [];
  let count = 0;
  return {
    killed,
    findByEnvironment: async () => looks[count++] ?? [],
    killProcesses: async (found: readonly { readonly pid: number }[]) => {
      killed.push(...found.map(({ pid }) => pid));
    },
  };
}

it.each([
  ['at once', [[process]]],
  ['that starts itself again', [[process], [{ ...process, pid: 8 }], [{ ...process, pid: 9 }]]],
])('ends a process %s', async (_what, looks) => {
  const processes = tableOf(looks);

  await sweep([], { processes, marker: 'M=1', limitMs: 60_000 });

  expect(processes.killed).toEqual(looks.flat().map(({ pid }) => pid));
});

it('looks once when nothing is left, because a look that finds nothing is complete', async () => {
  const processes = tableOf([[], [process]]);

  await sweep([], { processes, marker: 'M=1', limitMs: 60_000 });

  expect(processes.killed).toEqual([]);
});

it('reports what it could not end', async () => {
  const processes = tableOf(Array.from({ length: 1_000 }, () => [process]));

  const swept = sweep([process], { processes, marker: 'M=1', limitMs: 0 });

  await expect(swept).rejects.toThrow('these processes could not be ended: 7');
});
