import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LaunchFiles, sweepLaunches } from '../../../src/backends/shared/launch-files.js';

const living = new Set([process.pid, 4_000_001]);
const processes = { startTimeOf: async (pid: number) => (living.has(pid) ? 'then' : undefined) };

function emptyFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'ccm-launches-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return join(root, 'launches');
}

it.skipIf(process.platform === 'win32')('makes the files of a launch readable by their owner only', () => {
  const path = emptyFolder();
  const files = new LaunchFiles(path);

  const file = files.write('mcp.json', 'secret');

  expect(readFileSync(file, 'utf8')).toBe('secret');
  expect([path, dirname(file), file].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o700, 0o600]);
  files.remove();
  expect(readdirSync(path)).toEqual([]);
});

it('removes the files of dead servers, and nothing else', async () => {
  const path = emptyFolder();
  const kept = ['4000001.abcdef', `${process.pid}.abcdef`, 'notes', '4000002', '4000002.abcdef.bak'];
  for (const name of [...kept, '4000002.abcdef']) mkdirSync(join(path, name), { recursive: true });

  await sweepLaunches(path, processes);

  expect(readdirSync(path).toSorted()).toEqual(kept.toSorted());
});
