import type { ClaudeHome } from './claude-home.js';
import { ownValue, readJsonFile } from './json-file.js';

/** The permission mode that the user's own settings start a session with. */
export async function readDefaultMode(claudeHome: ClaudeHome): Promise<string | undefined> {
  const mode = ownValue(await readJsonFile(claudeHome.settingsFile), 'permissions', 'defaultMode');
  return typeof mode === 'string' ? mode : undefined;
}
