import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { joinRules, type PermissionRules } from '../../core/options/permission-rules.js';
import { ownValue } from '../../core/json.js';
import type { ClaudeHome } from '../claude-home.js';
import { localFolders, localSettingsIn } from './local-settings.js';
import { readSettings } from './settings-file.js';

/** The rules that Claude Code reads for a folder, by the settings that contain them. */
export interface FoundRules {
  readonly managed: PermissionRules;
  readonly user: PermissionRules;
  readonly project: PermissionRules;
  readonly local: PermissionRules;
}

/** Reads all rules for sessions in this folder, whether or not a session would load the settings. */
export async function readPermissionRules(claudeHome: ClaudeHome, cwd: string): Promise<FoundRules> {
  const { configDir, settingsFile } = claudeHome;
  const localFiles = (await localFolders(cwd)).map(localSettingsIn);
  const [managed, user, project, local] = await Promise.all([
    managedFiles(claudeHome).then((files) => rulesIn(files, claudeHome.managedDir)),
    rulesIn([settingsFile], configDir),
    rulesIn([join(cwd, '.claude', 'settings.json')], cwd),
    // A path in any of these is relative to the folder of the session.
    rulesIn(localFiles, cwd),
  ]);
  return { managed, user, project, local };
}

/** The settings files of the administrator. */
export async function managedFiles({ managedDir }: ClaudeHome): Promise<string[]> {
  const folder = join(managedDir, 'managed-settings.d');
  const names = await readdir(folder).catch(() => []);
  return [
    join(managedDir, 'managed-settings.json'),
    ...names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name)),
  ];
}

async function rulesIn(files: readonly string[], base: string): Promise<PermissionRules> {
  const settings = await Promise.all(files.map((file) => readSettings(file, base)));
  const rules = (content: unknown, kind: keyof PermissionRules): string[] => {
    const list = ownValue(content, 'permissions', kind);
    if (!Array.isArray(list)) return [];
    return list.filter((rule) => typeof rule === 'string').map((rule) => anchored(rule, base));
  };
  return joinRules(
    settings.map((content) => ({
      allow: rules(content, 'allow'),
      ask: rules(content, 'ask'),
      deny: rules(content, 'deny'),
    })),
  );
}

/** Tools whose rules contain a path, and a path that begins with exactly one slash. */
const pathFromBase = /^(?:Read|Edit|Write|MultiEdit|NotebookEdit|NotebookRead|Glob|Grep|LS)\((?=\/(?!\/))/;

/**
 * `Read(/x)` means `x` below the folder of the settings that contain the rule. Passed on in other settings it would
 * mean another file, so it becomes absolute, which Claude Code writes with two slashes.
 */
function anchored(rule: string, base: string): string {
  const [start] = pathFromBase.exec(rule) ?? [];
  return start === undefined ? rule : `${start}/${asPattern(base)}${rule.slice(start.length)}`;
}

/** The path as a pattern that matches only itself. A drive such as `C:` is written `/c`. */
function asPattern(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^([A-Za-z]):/, (_drive, letter: string) => `/${letter.toLowerCase()}`)
    .replace(/[*?[\]{}()!]/g, '\\$&')
    .replace(/\/$/, '');
}
