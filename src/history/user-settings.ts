import { join } from 'node:path';
import type { ClaudeHome } from './claude-home.js';
import { ownValue } from '../core/json.js';
import { readSettings } from './settings-file.js';

/** The default permission mode in the user's settings. */
export async function readDefaultMode(claudeHome: ClaudeHome): Promise<string | undefined> {
  const mode = ownValue(await readSettings(claudeHome.settingsFile), 'permissions', 'defaultMode');
  return typeof mode === 'string' ? mode : undefined;
}

/** Which of these sources turn on the sandbox. Machine-wide settings apply in any case. */
export async function sandboxSources<S extends string>(
  claudeHome: ClaudeHome,
  cwd: string,
  sources: readonly S[],
): Promise<readonly S[]> {
  const enabled = await Promise.all(
    sources.map(async (source) =>
      ownValue(await readSettings(fileOf(source, claudeHome, cwd)), 'sandbox', 'enabled'),
    ),
  );
  return sources.filter((_source, index) => enabled[index] === true);
}

function fileOf(source: string, { settingsFile }: ClaudeHome, cwd: string): string {
  if (source === 'user') return settingsFile;
  return join(cwd, '.claude', source === 'local' ? 'settings.local.json' : 'settings.json');
}
