import { join } from 'node:path';
import { isObject, ownValue } from '../../core/json.js';
import type { ClaudeHome } from '../claude-home.js';
import { localFolders, localSettingsIn } from './local-settings.js';
import { managedFiles } from './permission-rules.js';
import { readSettings } from './settings-file.js';

/**
 * A settings file with a hook that can answer requests in place of an approver; undefined if there is none. Hooks of the
 * project count if its settings load.
 */
export async function findAnsweringHook(
  claudeHome: ClaudeHome,
  cwd: string,
  { loadsProject }: { readonly loadsProject: boolean },
): Promise<string | undefined> {
  const project = [join(cwd, '.claude', 'settings.json'), ...(await localFolders(cwd)).map(localSettingsIn)];
  const files: readonly (readonly [path: string, behalf: string])[] = [
    ...(await managedFiles(claudeHome)).map((file) => [file, claudeHome.managedDir] as const),
    [claudeHome.settingsFile, claudeHome.configDir],
    ...(loadsProject ? project.map((file) => [file, cwd] as const) : []),
  ];
  for (const [file, behalf] of files) {
    const hooks = ownValue(await readSettings(file, behalf), 'hooks', 'PermissionRequest');
    if (Array.isArray(hooks) ? hooks.length > 0 : isObject(hooks)) return file;
  }
  return undefined;
}
