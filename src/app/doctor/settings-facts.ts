import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../config/config-error.js';
import type { Loaded } from '../../config/load.js';
import { defaultCwdOf } from '../../config/settings.js';
import type { SettingsFacts, SettingsFile } from '../../console/doctor/settings.js';
import type { FolderFacts } from '../../console/doctor/trust.js';
import { messageOf } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import { isInside } from '../../core/paths.js';
import { realPath, realPathOfNearest } from '../../files/real-path.js';
import { isMissing, openRegularFile, readRegularFile } from '../../files/regular-file.js';
import { isFolderTrusted } from '../../history/settings/folder-trust.js';
import { localFolders, localSettingsIn } from '../../history/settings/local-settings.js';
import { projectContents } from '../../history/settings/project-contents.js';
import { filesAround } from '../../history/settings/files-around.js';
import type { Surroundings } from './surroundings.js';

/** Where the values of this server come from. */
export function settingsFacts(loaded: Loaded | ConfigError): SettingsFacts {
  if (loaded instanceof ConfigError) return { problem: loaded.message, warnings: [], sources: [] };
  const { warnings, sources, settings } = loaded;
  const names = Object.values(sources).flatMap((source) => (source.kind === 'default' ? [] : [source.name]));
  const { defaultCwd, roots, trustedRoots } = settings;
  const named = [
    ...(defaultCwd === undefined ? [] : [['CLAUDE_CODE_DEFAULT_CWD', defaultCwd] as const]),
    ...roots.map((root) => ['CLAUDE_CODE_MCP_ROOTS', root] as const),
    ...trustedRoots.map((root) => ['CLAUDE_CODE_MCP_TRUSTED_ROOTS', root] as const),
  ];
  const lost = named.filter(([, folder]) => !isFolder(folder));
  return {
    problem: undefined,
    warnings: [
      ...warnings,
      ...lost.map(([name, folder]) => `The folder ${folder} of ${name} does not exist.`),
    ],
    sources: [...new Set(names)],
  };
}

/** The folder of sessions whose caller names none. */
function folderOf({ settings, environment, cwd }: Surroundings): string {
  const folder = defaultCwdOf(settings, environment, cwd);
  return isFolder(folder) ? folder : cwd;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export async function gatherTrust(surroundings: Surroundings): Promise<FolderFacts> {
  const { settings, claudeHome, home } = surroundings;
  const { trustedRoots, roots } = settings;
  const named = folderOf(surroundings);
  const folder = (await realPath(named)) ?? realPathOfNearest(named);
  const isListed = [...trustedRoots, ...roots].some((root) => realPathOfNearest(root) === folder);
  const isTrusted = (one: string): Promise<boolean> =>
    isFolderTrusted({ claudeHome, folder: one, trustedRoots });
  const around = await filesAround(folder, realPathOfNearest(home));
  const above = [...new Set(around.map((file) => file.folder))];
  const trust = await Promise.all(above.map(isTrusted));
  return {
    folder,
    isTooWide: isInside(realPathOfNearest(home), folder) && !isListed,
    isOutside: roots.length > 0 && !roots.some((root) => isInside(folder, realPathOfNearest(root))),
    isTrusted: await isTrusted(folder),
    projectFiles: (await projectContents(folder)).map(({ path }) => path),
    untrustedAbove: above.filter((_folder, index) => trust[index] === false),
  };
}

/** The files that exist, in the order in which later ones override earlier ones. */
export async function gatherClaudeSettings(
  surroundings: Surroundings,
  isTrusted: boolean,
): Promise<readonly SettingsFile[]> {
  const { claudeHome } = surroundings;
  const cwd = folderOf(surroundings);
  const ofProject = [
    join(cwd, '.claude', 'settings.json'),
    ...(await localFolders(cwd)).map(localSettingsIn),
    join(cwd, '.mcp.json'),
  ];
  const { stateFile, settingsFile, managedDir } = claudeHome;
  const always = [stateFile, settingsFile, join(managedDir, 'managed-settings.json')];
  const files = await Promise.all([
    ...always.map((path) => read(path, true)),
    ...ofProject.map((path) => read(path, isTrusted)),
  ]);
  return files.flat();
}

/** Why Claude Code cannot use these settings, or cannot apply their rules. */
function problemOf(settings: unknown): string | undefined {
  if (!isObject(settings)) return 'The file must contain an object.';
  const { permissions = {} } = settings;
  if (!isObject(permissions)) return '"permissions" is not an object.';
  const wrong = ['allow', 'ask', 'deny'].find((name) => !isListOfTexts(permissions[name] ?? []));
  return wrong === undefined ? undefined : `"permissions.${wrong}" is not a list of rules.`;
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

const maxBytes = 64 * 1024 * 1024;

async function read(path: string, isLoaded: boolean): Promise<readonly SettingsFile[]> {
  try {
    const text = await readRegularFile(openRegularFile(path), maxBytes);
    // Claude Code treats an empty file as one without settings.
    const problem = text.trim() === '' ? undefined : problemOf(JSON.parse(text));
    return [{ path, isLoaded, problem }];
  } catch (error) {
    return isMissing(error) ? [] : [{ path, isLoaded, problem: messageOf(error) }];
  }
}
