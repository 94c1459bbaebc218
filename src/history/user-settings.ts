import type { ClaudeHome } from './claude-home.js';
import { ownValue } from '../core/json.js';
import { readJsonFile } from '../files/json-file.js';

/** The default permission mode in the user's settings. */
export async function readDefaultMode(claudeHome: ClaudeHome): Promise<string | undefined> {
  const mode = ownValue(await readJsonFile(claudeHome.settingsFile), 'permissions', 'defaultMode');
  return typeof mode === 'string' ? mode : undefined;
}
