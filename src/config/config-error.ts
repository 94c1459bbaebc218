/** Stops the server at start-up. The message names the flag, variable or file, and the accepted values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
