import { AppError } from '../../core/errors.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { foldersOf } from '../../core/options/place.js';
import { realPathOfNearest } from '../../files/real-path.js';

/**
 * Trust, bounds and grants were judged for the real paths in the options. Refuses a session whose folder, or a folder
 * above it, has since been replaced by a link. Synchronous, so that no time passes between the check and a start.
 */
export function refuseMovedFolders(options: Pick<EffectiveOptions, 'cwd' | 'additionalDirectories'>): void {
  const moved = foldersOf(options).find((folder) => realPathOfNearest(folder) !== folder);
  if (moved !== undefined) throw new AppError('folder_moved', { path: moved });
}

/** Whether Claude Code started elsewhere. It normalises the names of folders. */
export function isElsewhere(startedIn: string, cwd: string): boolean {
  const [actual, wanted] = [startedIn, cwd].map((path) => {
    const name = path.normalize('NFC');
    return process.platform === 'win32' ? name.toLowerCase() : name;
  });
  return actual !== wanted;
}
