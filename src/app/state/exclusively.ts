import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CredentialFileError, type Exclusively } from '../../http/auth/credential-file.js';
import * as processes from '../../platform/processes.js';
import { Servers } from '../../state/server-mark.js';
import { FolderLocks, isHolder } from '../../state/session-locks.js';

const retryMs = 20;
const maxTries = 250;

/** One change at a time among all processes: services and commands share the credentials in a state folder. */
export function exclusivelyIn(stateDir: string, items: string): Exclusively {
  const locks = new FolderLocks({
    folder: join(stateDir, `${items}.locks`),
    servers: new Servers({ pid: process.pid, startTimeOf: processes.startTimeOf }),
  });
  return async (change) => {
    for (let left = maxTries; ; left -= 1) {
      const taken = await locks.take(items);
      if (isHolder(taken)) {
        if (left === 0)
          throw new CredentialFileError(
            `process ${taken.pid} is changing the ${items}. Try again when it has exited.`,
          );
        await delay(retryMs);
        continue;
      }
      try {
        return await change();
      } finally {
        await taken.release();
      }
    }
  };
}
