import { mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MetricsFile } from '../../../src/observability/metrics/file.js';
import { FakeClock } from '../../kit/fake-clock.js';
import { until } from '../../kit/until.js';

async function createScene() {
  const folder = await mkdtemp(join(tmpdir(), 'metrics-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clock = new FakeClock();
  const logged: unknown[] = [];
  const logger = { log: (...line: unknown[]) => void logged.push(line) };
  let reads = 0;
  const open = (path: string): MetricsFile =>
    new MetricsFile(path, async () => `scrape ${(reads += 1)}\n`, { clock, logger });
  return { folder, path: join(folder, 'a.prom'), clock, logged, open, reads: () => reads };
}

const waiting = (clock: FakeClock): Promise<true> =>
  until('it waits for the next time', () => clock.pendingTimers === 1);

it('writes the file at once, every 15 seconds and at exit, readable by its owner only', async () => {
  const { folder, path, clock, open } = await createScene();

  const file = open(path);
  await waiting(clock);
  const first = await readFile(path, 'utf8');
  clock.advance(15_000);
  await waiting(clock);
  const second = await readFile(path, 'utf8');
  await file.close();

  expect([first, second, await readFile(path, 'utf8')]).toEqual(['scrape 1\n', 'scrape 2\n', 'scrape 3\n']);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['a.prom']);
  expect(clock.pendingTimers).toBe(0);
});

it('replaces a link instead of writing through it', async () => {
  const { folder, path, clock, open } = await createScene();
  const victim = join(folder, 'victim');
  await writeFile(victim, 'precious');
  await symlink(victim, path);

  const file = open(path);
  await waiting(clock);
  await file.close();

  expect(await readFile(victim, 'utf8')).toBe('precious');
  expect((await stat(path)).isFile()).toBe(true);
});

it('logs once that the file cannot be written, and keeps trying', async () => {
  const { folder, clock, logged, open, reads } = await createScene();
  const path = join(folder, 'missing', 'a.prom');

  const file = open(path);
  await waiting(clock);
  clock.advance(15_000);
  await until('it has tried again', () => reads() === 2);
  await file.close();

  expect(logged).toEqual([
    [
      'error',
      'metrics could not be written',
      { reason: `ENOENT: no such file or directory, open '${path}'` },
    ],
  ]);
});
