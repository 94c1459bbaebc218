import { ConfigError } from '../../config/config-error.js';
import { stateDirOf, type Settings } from '../../config/settings.js';
import { AppError } from '../../core/errors.js';
import { CredentialFileError } from '../../http/auth/credential-file.js';
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

/** For commands that cannot work without these credentials. Their reasons end the program. */
export function usable<T>(result: Promise<T>): Promise<T> {
  return result.catch((error: unknown) => {
    throw error instanceof CredentialFileError ? new ConfigError(error.message) : error;
  });
}
