import { ConfigError } from '../config/config-error.js';
import { CredentialFileError } from '../http/auth/credential-file.js';

/** Runs a command on saved credentials. If their file cannot be used, the reason ends the program. */
export async function withReasons(command: () => Promise<string>): Promise<string> {
  try {
    return await command();
  } catch (error) {
    throw error instanceof CredentialFileError ? new ConfigError(error.message) : error;
  }
}
