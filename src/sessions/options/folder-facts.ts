import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { AppError } from '../../core/errors.js';
import type { ParamsOf } from '../../core/reasons/index.js';
import type { RequestedOptions } from '../../core/options/index.js';
import { atHome, isInside } from '../../core/paths.js';
import { joinRules } from '../../core/options/permission-rules.js';
import type { ClaudeHome } from '../../history/claude-home.js';
import { LinkWalk, realPath, realPathOfNearest } from '../../files/real-path.js';
import { readLanguagePlugins } from '../../history/programs/language-plugins.js';
import { readProgramServers, readServerList } from '../../history/programs/program-servers.js';
import { readConfiguredServers } from '../../history/settings/configured-servers.js';
import { isFolderTrusted } from '../../history/settings/folder-trust.js';
import { readPermissionRules } from '../../history/settings/permission-rules.js';
import { exists, filesAround } from '../../history/settings/files-around.js';
import { repositoryRoots } from '../../history/repository-roots.js';
import { readDefaultMode, readSandboxes } from '../../history/settings/user-settings.js';
import { isWithinRoots, keyFolders, refuseFolder, type FolderBounds } from '../../policy/folders.js';
import type { PolicyFacts } from '../../policy/resolve-options.js';

export interface FolderSettings {
  readonly claudeHome: ClaudeHome;
  readonly defaultCwd: string;
  readonly bounds: FolderBounds;
}

const projectSettingFiles = ['CLAUDE.md', '.claude', '.mcp.json'] as const;

/** Whose choice the folder is: the caller's, or that of the session, which it started in. */
export type CwdOption = 'cwd' | 'sessionCwd';

/** Inspects the folders whose settings would be loaded, and what Claude Code has recorded about each. */
export async function gatherFacts(
  requested: RequestedOptions,
  settings: FolderSettings,
  cwdOption: CwdOption,
): Promise<PolicyFacts> {
  const { claudeHome, bounds, defaultCwd } = settings;
  const cwd = await (requested.cwd === undefined
    ? realFolder('defaultCwd', defaultCwd, bounds)
    : realFolder(cwdOption, requested.cwd, bounds));
  const additionalDirectories =
    requested.additionalDirectories && (await realFolders(requested.additionalDirectories, settings));
  const [own, around, rules, userMode, roots, startable] = await Promise.all([
    Promise.all(projectSettingFiles.map((name) => exists(join(cwd, name)))),
    filesAround(cwd, bounds.home),
    readPermissionRules(claudeHome, cwd),
    readDefaultMode(claudeHome),
    repositoryRoots(cwd),
    gatherStartable({ cwd, additionalDirectories }, settings),
  ]);
  const others = new Set([...(additionalDirectories ?? []), ...around.map(({ folder }) => folder)]);
  const isTrusted = startable.isCwdTrusted && (await areTrusted([...others], settings));
  return {
    ...startable,
    cwd,
    additionalDirectories,
    roots: bounds.roots,
    isTrusted,
    projectFiles: [
      ...projectSettingFiles.filter((_name, index) => own[index]),
      ...around.map(({ path }) => path),
    ],
    userMode,
    rules,
    configuredServers:
      requested.mcpServers === undefined
        ? []
        : Object.keys(readConfiguredServers(claudeHome, cwd, isTrusted)),
    // The home folder can be a repository of its own, whose programs are the user's.
    repositoryRoots: roots.filter((root) => !isInside(bounds.home, root)),
    allowRules: joinRules([rules.managed, rules.user, ...(isTrusted ? [rules.project, rules.local] : [])])
      .allow,
  };
}

/** What depends on the trust of the session's folders only: sandboxes, and what the user's configuration could start. */
async function gatherStartable(
  { cwd, additionalDirectories = [] }: Pick<PolicyFacts, 'cwd' | 'additionalDirectories'>,
  settings: FolderSettings,
): Promise<
  Pick<PolicyFacts, 'isCwdTrusted' | 'sandboxes' | 'programServers' | 'languagePlugins' | 'serverList'>
> {
  const { claudeHome } = settings;
  const isCwdTrusted = await isTrustedIn(settings, cwd);
  // Language servers get files of all folders, and run code from where these are.
  const areAllTrusted = isCwdTrusted && (await areTrusted(additionalDirectories, settings));
  const [sandboxes, programServers, languagePlugins, serverList] = await Promise.all([
    // An untrusted additional folder must not hide the sandbox of a trusted project.
    readSandboxes(claudeHome, cwd, isCwdTrusted ? ['user', 'project', 'local'] : ['user']),
    isCwdTrusted ? [] : readProgramServers(claudeHome, cwd),
    areAllTrusted ? [] : readLanguagePlugins(claudeHome),
    isCwdTrusted ? undefined : readServerList(claudeHome),
  ]);
  return { isCwdTrusted, sandboxes, programServers, languagePlugins, serverList };
}

function isTrustedIn({ claudeHome, bounds }: FolderSettings, folder: string): Promise<boolean> {
  return isFolderTrusted({ claudeHome, folder, trustedRoots: bounds.trusted });
}

/** Resolves additional folders to real paths; throws if one is refused. */
export function realFolders(paths: readonly string[], { bounds }: FolderSettings): Promise<string[]> {
  return Promise.all(paths.map((path) => realFolder('additionalDirectories', path, bounds)));
}

/** Whether the project settings of all these folders may be loaded. */
export async function areTrusted(folders: readonly string[], settings: FolderSettings): Promise<boolean> {
  const trust = await Promise.all(folders.map((folder) => isTrustedIn(settings, folder)));
  return !trust.includes(false);
}

/** Those folders that may still be used. */
export async function usableFolders(paths: readonly string[], settings: FolderSettings): Promise<string[]> {
  const found = await Promise.allSettled(paths.map((path) => realFolders([path], settings)));
  return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

/** Resolves symbolic links, so that the checks apply to the folder that is really used. */
async function realFolder(option: string, path: string, bounds: FolderBounds): Promise<string> {
  if (!isAbsolute(path)) {
    const problem = 'is not an absolute path';
    throw new AppError('folder_unusable', { option, path, problem, meant: atHome(path, bounds.home) });
  }
  const real = await realPath(path);
  // First, and as the caller wrote it: outside its roots, a caller must not learn what exists or where a link leads.
  if (!isWithinRoots(real ?? realPathOfNearest(path), bounds))
    throw new AppError('folder_outside_roots', { option, path, roots: bounds.roots });
  if (real === undefined) throw badFolder(option, path, 'does not exist');
  if (!(await stat(real)).isDirectory()) throw badFolder(option, path, 'is not a folder');
  refuseFolder(option, real, bounds, realKeyFolders(bounds.home));
  return real;
}

function badFolder(option: string, path: string, problem: ParamsOf<'folder_unusable'>['problem']): AppError {
  return new AppError('folder_unusable', { option, path, problem });
}

/** Dotfile managers put links in their places. */
export function realKeyFolders(home: string): readonly string[] {
  const walk = new LinkWalk();
  return keyFolders.map((folder) => walk.resolve(join(home, folder)));
}
