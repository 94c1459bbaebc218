import { join } from 'node:path';
import type { ClaudeHome } from './claude-home.js';
import { ownValue } from '../core/json.js';
import { readJsonFile } from '../files/json-file.js';

/** The permission mode that the user's own settings start a session with. */
export async function readDefaultMode(claudeHome: ClaudeHome): Promise<string | undefined> {
  const mode = ownValue(await readJsonFile(claudeHome.settingsFile), 'permissions', 'defaultMode');
  return typeof mode === 'string' ? mode : undefined;
}

/** Settings of the whole machine, above those of the user. */
const managedFiles = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
  'C:\\Program Files\\ClaudeCode\\managed-settings.json',
];

/** Every rule of this kind in the settings that a session of this folder loads. */
export async function readRules(
  kind: 'allow' | 'deny',
  claudeHome: ClaudeHome,
  cwd: string,
  sources: readonly string[],
): Promise<readonly string[]> {
  const files = [
    ...managedFiles,
    claudeHome.settingsFile,
    ...(sources.includes('project') ? [join(cwd, '.claude', 'settings.json')] : []),
    ...(sources.includes('local') ? [join(cwd, '.claude', 'settings.local.json')] : []),
  ];
  const lists = await Promise.all(
    files.map(async (file) => ownValue(await readJsonFile(file), 'permissions', kind)),
  );
  return lists
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .filter((rule): rule is string => typeof rule === 'string');
}
