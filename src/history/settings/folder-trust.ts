import { sep } from 'node:path';
import { isInside } from '../../core/paths.js';
import type { ClaudeHome } from '../claude-home.js';
import { ownValue } from '../../core/json.js';
import { readJsonFile } from '../../files/json-file.js';
import { realPath } from '../../files/real-path.js';

export interface FolderTrustQuestion {
  readonly claudeHome: ClaudeHome;
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
  if (real === undefined) return false;
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
  const usual = real.normalize('NFC');
  const other = usual === real ? undefined : await realPath(usual);
  return other !== undefined && other !== real;
}

/** The key of a folder in Claude Code's state file. */
export function projectKey(real: string): string {
  return real.normalize('NFC').replaceAll(sep, '/');
}
