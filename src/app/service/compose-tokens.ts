import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../../config/config-error.js';
import { stateDirOf, type Settings } from '../../config/settings.js';
import { AppError } from '../../core/errors.js';
import { TokenFile, TokenFileError } from '../../http/auth/token-file.js';
import * as processes from '../../platform/processes.js';
import { Servers } from '../../state/server-mark.js';
import { FolderLocks, isHolder } from '../../state/session-locks.js';
import { prepareStateFolder } from '../../state/state-folder.js';

/** The state folder, ready to be used. Throws a ConfigError if it cannot be. */
export function preparedStateDir(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const stateDir = stateDirOf(settings, environment, home);
  try {
    prepareStateFolder(stateDir);
    return stateDir;
  } catch (error) {
    throw error instanceof AppError ? new ConfigError(error.message) : error;
  }
}

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
            `process ${taken.pid} is changing the tokens. Try again when it has exited.`,
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

/** For commands that cannot work without the tokens. Their reasons end the program. */
export function usable<T>(result: Promise<T>): Promise<T> {
  return result.catch((error: unknown) => {
    throw error instanceof TokenFileError ? new ConfigError(error.message) : error;
  });
}
