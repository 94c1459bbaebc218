import { expect, it } from 'vitest';
import { treeKillerOf } from '../../src/platform/kill-tree.js';
import type { ToolRun } from '../../src/platform/run-tool.js';

function onWindows(outcome: () => Promise<string> = async () => '') {
  const runs: ToolRun[] = [];
  const killTree = treeKillerOf('win32', (tool) => {
    runs.push(tool);
    return outcome();
  });
  return { runs, killTree };
}

it.each(['linux', 'darwin'] as const)('is not needed on %s', (platform) => {
  expect(treeKillerOf(platform, async () => '')).toBeUndefined();
});

it('ends the whole tree with one taskkill on Windows', async () => {
  const { runs, killTree } = onWindows();

  expect(await killTree?.(4711)).toBe(true);
  expect(runs).toEqual([{ file: 'taskkill.exe', args: ['/T', '/F', '/PID', '4711'] }]);
});

it('tells when taskkill failed', async () => {
  const { killTree } = onWindows(() => Promise.reject(new Error('not found')));

  expect(await killTree?.(4711)).toBe(false);
});

it.each([0, 1, -5, 1.5, process.pid])('never touches pid %d', async (pid) => {
  const { runs, killTree } = onWindows();

  expect(await killTree?.(pid)).toBe(false);
  expect(runs).toEqual([]);
});
