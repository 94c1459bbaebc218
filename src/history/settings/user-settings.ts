import { join } from 'node:path';
import type { ClaudeHome } from '../claude-home.js';
import { isObject, ownValue, type JsonObject } from '../../core/json.js';
import { localFolders, localSettingsIn } from './local-settings.js';
import { readSettings } from './settings-file.js';

/** The default permission mode in the user's settings. */
export async function readDefaultMode(claudeHome: ClaudeHome): Promise<string | undefined> {
  const mode = ownValue(await readSettings(claudeHome.settingsFile), 'permissions', 'defaultMode');
  return typeof mode === 'string' ? mode : undefined;
}

/** The sandbox settings in one file. */
export interface FoundSandbox<S extends string> {
  readonly source: S;
  readonly section: JsonObject;
}

/** The sandbox settings of these sources. Machine-wide settings apply in any case. */
export async function readSandboxes<S extends string>(
  claudeHome: ClaudeHome,
  cwd: string,
  sources: readonly S[],
): Promise<readonly FoundSandbox<S>[]> {
  const found = await Promise.all(
    sources.map(async (source) => {
      const behalf = source === 'user' ? claudeHome.configDir : cwd;
      const files = await filesOf(source, claudeHome, cwd);
      const settings = await Promise.all(files.map((file) => readSettings(file, behalf)));
      const sections = settings.map((content) => ownValue(content, 'sandbox')).filter(isObject);
      return sections.map((section) => ({ source, section }));
    }),
  );
  return found.flat();
}

async function filesOf(
  source: string,
  { settingsFile }: ClaudeHome,
  cwd: string,
): Promise<readonly string[]> {
  if (source === 'user') return [settingsFile];
  if (source === 'project') return [join(cwd, '.claude', 'settings.json')];
  return (await localFolders(cwd)).map(localSettingsIn);
}
