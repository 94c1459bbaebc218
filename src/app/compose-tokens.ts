import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TokenFile, TokenFileError } from '../http/auth/token-file.js';
import * as processes from '../platform/processes.js';
import { Servers } from '../state/server-mark.js';
import { FolderLocks, isHolder } from '../state/session-locks.js';

/** The principal of a service that one person uses. */
export const owner = 'owner';

const retryMs = 20;
const maxTries = 250;

/** The tokens in this state folder, which the service and the token commands may change at the same time. */
export function composeTokens(stateDir: string): TokenFile {
  const locks = new FolderLocks({
    folder: join(stateDir, 'tokens.locks'),
    servers: new Servers({ pid: process.pid, startTimeOf: processes.startTimeOf }),
  });
  const exclusively = async <T>(change: () => Promise<T>): Promise<T> => {
    for (let left = maxTries; ; left -= 1) {
      const taken = await locks.take('tokens');
      if (isHolder(taken)) {
        if (left === 0)
          throw new TokenFileError(
            `process ${taken.pid} is changing the tokens. Try again when it has ended.`,
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
  return new TokenFile({ stateDir, exclusively });
}
