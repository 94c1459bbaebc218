import { join } from 'node:path';
import { repositoryRoots } from '../repository-roots.js';

/**
 * Where Claude Code reads local settings for sessions in this folder: in the folder itself, and where its repository
 * keeps those of all worktrees.
 */
export async function localFolders(cwd: string): Promise<readonly string[]> {
  return [...new Set([cwd, ...(await repositoryRoots(cwd))])];
}

export function localSettingsIn(folder: string): string {
  return join(folder, '.claude', 'settings.local.json');
}
