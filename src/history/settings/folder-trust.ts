import { basename, dirname, sep } from 'node:path';
import { isInside } from '../../core/paths.js';
import type { ClaudeHome } from '../claude-home.js';
import { ownValue } from '../../core/json.js';
import { entriesIn } from '../../files/folder-names.js';
import { readJsonFile } from '../../files/json-file.js';
import { realPath } from '../../files/real-path.js';

export interface FolderTrustQuestion {
  readonly claudeHome: ClaudeHome;
  /** A real path. */
  readonly folder: string;
  /** Folders that the operator trusts, including everything below them. */
  readonly trustedRoots: readonly string[];
}

/** Whether to load the project settings of this folder. False when unsure, because settings can run commands. */
export async function isFolderTrusted({
  claudeHome,
  folder,
  trustedRoots,
}: FolderTrustQuestion): Promise<boolean> {
  const real = await realPath(folder);
  // Where a link leads is not asked: a folder with hooks could take its place before the session starts.
  if (real !== folder) return false;
  for (const root of trustedRoots) {
    const realRoot = await realPath(root);
    if (realRoot !== undefined && isInside(real, realRoot)) return true;
  }
  if (await hasNamesake(real)) return false;
  const state = await readJsonFile(claudeHome.stateFile);
  return ownValue(state, 'projects', projectKey(real), 'hasTrustDialogAccepted') === true;
}

/**
 * Whether another folder has the name under which Claude Code stores whether this one is trusted. On Linux, `é` has two
 * spellings that are two names.
 */
async function hasNamesake(real: string): Promise<boolean> {
  const folder = dirname(real);
  if (folder === real) return false;
  return (await hasSpellings(folder, basename(real))) || hasNamesake(folder);
}

async function hasSpellings(folder: string, name: string): Promise<boolean> {
  // Nobody trusts a folder whose name only looks so, with the sign for kelvin as K.
  if (/^[ -~]*$/.test(name)) return false;
  const usual = name.normalize('NFC');
  const entries = await entriesIn(folder).catch(() => undefined);
  const same = entries?.filter((entry) => entry.name.normalize('NFC') === usual);
  return same?.length !== 1;
}

/** The key of a folder in Claude Code's state file. */
export function projectKey(real: string): string {
  return real.normalize('NFC').replaceAll(sep, '/');
}
