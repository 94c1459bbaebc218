/** Stops the start. The message names the flag, variable or file, and what it accepts. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
