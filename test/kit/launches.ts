import { Launches } from '../../src/backends/launches/launches.js';
import * as processes from '../../src/platform/processes.js';

/** Launches that no watchdog follows, for tests whose server does not die. */
export function unwatchedLaunches(folder: string): Launches {
  return new Launches({
    folder,
    watchdog: { tell: () => undefined, forget: () => undefined },
    processes,
    server: Promise.resolve({ pid: process.pid, startTime: '1', space: 'test' }),
    logger: { log: () => undefined },
  });
}
