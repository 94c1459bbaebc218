import { join, resolve } from 'node:path';
import type { Settings } from './settings.js';

/** Where this server keeps its own files. */
export function stateDirOf(
  { stateDir }: Pick<Settings, 'stateDir'>,
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const base = environment['XDG_STATE_HOME'] || join(home, '.local', 'state');
  return resolve(stateDir ?? join(base, 'claude-code-mcp'));
}
