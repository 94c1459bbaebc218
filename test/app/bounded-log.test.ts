import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { boundLog } from '../../src/app/service/bounded-log.js';
import { FakeClock } from '../kit/fake-clock.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const aMinute = 60_000;

/** A service whose stderr is a file with this name in its state folder. */
function startLogging(name: string) {
  const [stateDir, clock] = [temporaryFolder(), new FakeClock()];
  const stderr = openSync(join(stateDir, name), 'a');
  onTestFinished(() => closeSync(stderr));
  const stop = boundLog({ stateDir, clock, maxBytes: 10, stderr });
  const read = (file: string): string => readFileSync(join(stateDir, file), 'utf8');
  return { stateDir, clock, stop, read, write: (text: string) => void writeSync(stderr, text) };
}

it('the log of a service that connect started moves to a second file when it is too long', async () => {
  const { clock, stop, read, write } = startLogging('service.log');
  write('short\n');
  await clock.pass(aMinute);
  const before = read('service.log');
  write('a long line\n');
  await clock.pass(aMinute);
  write('next\n');

  stop();

  expect([before, read('service.older.log'), read('service.log')]).toEqual([
    'short\n',
    'short\na long line\n',
    'next\n',
  ]);
  expect(clock.pendingTimers).toBe(0);
});

it('a log of the operator is left alone', async () => {
  const { stateDir, clock, read, write } = startLogging('other.log');
  write('a line that is too long\n');

  await clock.pass(aMinute);

  expect(read('other.log')).toBe('a line that is too long\n');
  expect(existsSync(join(stateDir, 'service.older.log'))).toBe(false);
});
