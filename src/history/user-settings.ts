import { join } from 'node:path';
import type { ClaudeHome } from './claude-home.js';
import { ownValue } from '../core/json.js';
import { readJsonFile } from '../files/json-file.js';

/** The default permission mode in the user's settings. */
export async function readDefaultMode(claudeHome: ClaudeHome): Promise<string | undefined> {
  const mode = ownValue(await readJsonFile(claudeHome.settingsFile), 'permissions', 'defaultMode');
  return typeof mode === 'string' ? mode : undefined;
}

/** Machine-wide settings, which override those of the user. */
const managedFiles = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
  'C:\\Program Files\\ClaudeCode\\managed-settings.json',
];

/** All rules of this kind in the settings that a session in this folder loads. */
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

/** Which of these sources turn on the sandbox. Machine-wide settings apply in any case. */
export async function sandboxSources<S extends string>(
  claudeHome: ClaudeHome,
  cwd: string,
  sources: readonly S[],
): Promise<readonly S[]> {
  const enabled = await Promise.all(
    sources.map(async (source) =>
      ownValue(await readJsonFile(fileOf(source, claudeHome, cwd)), 'sandbox', 'enabled'),
    ),
  );
  return sources.filter((_source, index) => enabled[index] === true);
}

function fileOf(source: string, { settingsFile }: ClaudeHome, cwd: string): string {
  if (source === 'user') return settingsFile;
  return join(cwd, '.claude', source === 'local' ? 'settings.local.json' : 'settings.json');
}
