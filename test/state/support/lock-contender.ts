/** Takes and releases one lock as fast as it can, and tells when it had it. */
import { FolderLocks, isHolder } from '../../../src/state/session-locks.js';
import { startTimeOf } from '../../../src/platform/processes.js';

export interface Claim {
  readonly name?: string;
  /** Nanoseconds of the machine's clock, which all processes share; as numbers, exact to the microsecond. */
  readonly from: number;
  readonly to: number;
}

const CLAIMS = 200;

const [folder = '', sessionId = ''] = process.argv.slice(2);
const locks = new FolderLocks({ folder, pid: process.pid, startTimeOf });
const claims: Claim[] = [];
while (claims.length < CLAIMS) {
  const lock = await locks.take(sessionId);
  if (isHolder(lock)) continue;
  const from = Number(process.hrtime.bigint());
  await new Promise((resolve) => setImmediate(resolve));
  claims.push({ from, to: Number(process.hrtime.bigint()) });
  // The last one is kept: its process dies with it.
  if (claims.length < CLAIMS) await lock.release();
}
process.send?.(claims, () => process.kill(process.pid, 'SIGKILL'));
