/** Takes and releases one lock as fast as possible, and reports when it held it. */
import { FolderLocks, isHolder } from '../../../src/state/session-locks.js';
import { Servers } from '../../../src/state/server-mark.js';
import { startTimeOf } from '../../../src/platform/processes.js';

export interface Claim {
  readonly name?: string;
  /** The machine's clock in nanoseconds, shared by all processes; exact to the microsecond as a number. */
  readonly from: number;
  readonly to: number;
}

const CLAIMS = 200;

const [folder = '', sessionId = ''] = process.argv.slice(2);
const locks = new FolderLocks({ folder, servers: new Servers({ pid: process.pid, startTimeOf }) });
const claims: Claim[] = [];
while (claims.length < CLAIMS) {
  const lock = await locks.take(sessionId);
  if (isHolder(lock)) continue;
  const from = Number(process.hrtime.bigint());
  await new Promise((resolve) => setImmediate(resolve));
  claims.push({ from, to: Number(process.hrtime.bigint()) });
  // The last lock is never released: its process exits with it.
  if (claims.length < CLAIMS) await lock.release();
}
process.send?.(claims, () => process.kill(process.pid, 'SIGKILL'));
