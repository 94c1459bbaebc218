import { expect, it } from 'vitest';
import { treeKillerOf } from '../../src/platform/kill-tree.js';
import { killTree } from '../../src/platform/processes.js';
import type { ToolRun } from '../../src/platform/run-tool.js';

function onWindows(outcome: () => Promise<string> = async () => '') {
  const runs: ToolRun[] = [];
  const kill = treeKillerOf('win32', (tool) => {
    runs.push(tool);
    return outcome();
  });
  return { runs, kill };
}

it.each(['linux', 'darwin'] as const)('is not needed on %s', (platform) => {
  expect(treeKillerOf(platform, async () => '')).toBeUndefined();
});

it('ends the whole tree with one taskkill on Windows', async () => {
  const { runs, kill } = onWindows();

  expect(await kill?.(4711)).toBe(true);
  expect(runs).toEqual([{ file: 'taskkill.exe', args: ['/T', '/F', '/PID', '4711'] }]);
});

it('reports when taskkill failed', async () => {
  const { kill } = onWindows(() => Promise.reject(new Error('not found')));

  expect(await kill?.(4711)).toBe(false);
});

it.each([0, 1, -5, 1.5, process.pid])('never touches pid %d', async (pid) => {
  const { runs, kill } = onWindows();

  expect(await kill?.(pid)).toBe(false);
  expect(runs).toEqual([]);
});

it('exists on Windows only', () => {
  expect(killTree !== undefined).toBe(process.platform === 'win32');
});
