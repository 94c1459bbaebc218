import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WatchdogProcess } from '../../../src/backends/launches/watchdog-process.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';
import { until } from '../../kit/until.js';

const one = { marker: 'DEPTH=1.one' };
const two = { marker: 'DEPTH=1.two', claude: { pid: 10, startTime: '10' } };

/** A watchdog that records its input and its pid, and ends nothing. */
function startNoting(script: string) {
  const folder = temporaryFolder();
  const path = join(folder, 'watchdog.cjs');
  const notes = join(folder, 'notes');
  writeFileSync(path, `const notes = ${JSON.stringify(notes)};\n${script}`);
  const logged: string[] = [];
  const watchdog = new WatchdogProcess({
    node: process.execPath,
    script: path,
    environment: {},
    logger: { log: (level, message) => void logged.push(`${level}: ${message}`) },
  });
  const read = (): string[] => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []);
  return { watchdog, logged, read };
}

const noting = `
  const { appendFileSync } = require('node:fs');
  appendFileSync(notes, process.pid + '\\n');
  process.stdin.on('data', (chunk) => appendFileSync(notes, chunk));`;

it('starts with the first launch, and learns of every launch and every end', async () => {
  const { watchdog, read, logged } = startNoting(noting);
  watchdog.tell(one);
  watchdog.tell(two);
  watchdog.forget(one.marker);
  watchdog.forget('DEPTH=1.unknown');

  const [pid, ...lines] = await until('it has noted all', () => read().length === 4 && read());
  onTestFinished(() => void process.kill(Number(pid), 'SIGKILL'));

  expect(lines.map((line) => JSON.parse(line))).toEqual([one, two, { ended: one.marker }]);
  expect(logged).toEqual([]);
});

it('is replaced when it dies, and its successor learns of the launches that live', async () => {
  const { watchdog, read, logged } = startNoting(noting);
  watchdog.tell(one);
  watchdog.tell(two);
  const [first] = await until('it has noted both', () => read().length === 3 && read());
  watchdog.forget(one.marker);
  await until('it has noted the end', () => read().length === 4);

  process.kill(Number(first), 'SIGKILL');
  const [second = '', ...lines] = await until(
    'its successor has',
    () => read().length === 6 && read().slice(4),
  );
  onTestFinished(() => void process.kill(Number(second), 'SIGKILL'));

  expect(lines).toEqual([JSON.stringify(two)]);
  expect(logged).toEqual([]);
});

it('is given up with a warning when it cannot run, until the next launch', async () => {
  const { watchdog, read, logged } = startNoting(`${noting} process.exit(1);`);

  watchdog.tell(one);
  await until('the log says so', () => logged.length === 1);
  watchdog.forget(one.marker);
  const tried = read().length;
  watchdog.tell(two);
  await until('the log says so again', () => logged.length === 2);

  const warning = expect.stringContaining('warn: the watchdog cannot run');
  expect(logged).toEqual([warning, warning]);
  expect([tried, read().length]).toEqual([3, 6]);
});
