import { sep } from 'node:path';
import { isInside } from '../core/paths.js';
import type { ClaudeHome } from './claude-home.js';
import { ownValue } from '../core/json.js';
import { readJsonFile } from '../files/json-file.js';
import { realPath } from '../files/real-path.js';

export interface FolderTrustQuestion {
  readonly claudeHome: ClaudeHome;
  readonly folder: string;
  /** Folders that the operator trusts with all that is in them. */
  readonly trustedRoots: readonly string[];
}

/** Whether project settings of this folder may be loaded. They run commands unasked, so doubt means no. */
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
  const state = await readJsonFile(claudeHome.stateFile);
  return ownValue(state, 'projects', projectKey(real), 'hasTrustDialogAccepted') === true;
}

/** The spelling under which Claude Code files a folder. */
function projectKey(real: string): string {
  return real.normalize('NFC').replaceAll(sep, '/');
}
