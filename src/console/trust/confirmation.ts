import { dirname } from 'node:path';
import { isInside } from '../../core/paths.js';
import { CommandFailure } from '../terminal/failure.js';

/** How sure a person must be. `name`: they must type the path of the folder. */
export type Confirmation = 'yes' | 'name';

/** Refuses folders that contain far more than a project. */
export function confirmationFor(folder: string, home: string): Confirmation {
  if (folder === home) return 'name';
  if (dirname(folder) === folder || isInside(home, folder))
    throw new CommandFailure(
      `${folder} contains your home folder, so it cannot be trusted. Name the folder of a project.`,
    );
  return 'yes';
}
