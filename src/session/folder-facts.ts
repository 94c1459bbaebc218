import { access, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { AppError } from '../core/errors.js';
import type { RequestedOptions } from '../core/options/index.js';
import type { ClaudeHome } from '../history/claude-home.js';
import { isFolderTrusted } from '../history/folder-trust.js';
import { readDefaultMode } from '../history/user-settings.js';
import { refuseFolder, type FolderBounds } from '../policy/folders.js';
import type { PolicyFacts } from '../policy/resolve-options.js';

export interface FolderSettings {
  readonly claudeHome: ClaudeHome;
  readonly defaultCwd: string;
  readonly bounds: FolderBounds;
}

const projectSettingFiles = ['.claude', '.mcp.json', 'CLAUDE.md'] as const;

/** Looks at the folders a caller names, and at what Claude Code has on record about them. */
export async function gatherFacts(
  requested: RequestedOptions,
  settings: FolderSettings,
): Promise<PolicyFacts> {
  const { claudeHome, bounds, defaultCwd } = settings;
  const cwd = await realFolder('cwd', requested.cwd ?? defaultCwd, bounds);
  const found = await Promise.all(projectSettingFiles.map((name) => exists(join(cwd, name))));
  return {
    cwd,
    additionalDirectories:
      requested.additionalDirectories &&
      (await Promise.all(
        requested.additionalDirectories.map((path) => realFolder('additionalDirectories', path, bounds)),
      )),
    isTrusted: await isFolderTrusted({ claudeHome, folder: cwd, trustedRoots: bounds.listed }),
    hasProjectSettings: found.includes(true),
    hasClaudeMd: found.at(-1) === true,
    userMode: await readDefaultMode(claudeHome),
  };
}

/** The real path: a symbolic link must not lead where the name does not. */
async function realFolder(option: string, path: string, bounds: FolderBounds): Promise<string> {
  if (!isAbsolute(path)) throw badFolder(option, path, 'is not an absolute path');
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) throw badFolder(option, path, 'does not exist');
  if (!(await stat(real)).isDirectory()) throw badFolder(option, path, 'is not a folder');
  refuseFolder(option, real, bounds);
  return real;
}

function badFolder(option: string, path: string, problem: string): AppError {
  return new AppError('INVALID_ARGUMENT', `${option} ${path} ${problem}`, {
    hint: 'Pass the absolute path of an existing folder.',
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
