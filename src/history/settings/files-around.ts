import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside, withParents } from '../../core/paths.js';
import { repositoryRoots } from '../repository-roots.js';
import { localSettingsIn } from './local-settings.js';

/** A file or folder in another folder than that of a session. */
export interface FileAround {
  readonly folder: string;
  readonly path: string;
}

/** Their content can start programs, or let tools run without approval. */
const definitions: readonly string[] = ['agents', 'commands', 'skills', 'workflows'];

/**
 * What Claude Code would run for sessions in this folder, although it is in another one: MCP servers that the folders
 * above name, local settings of the repository with their hooks, and definitions of agents and skills up to the root of
 * the repository. Instructions such as `CLAUDE.md` are not included.
 */
export async function filesAround(folder: string, home: string): Promise<readonly FileAround[]> {
  const [, ...above] = withParents(folder);
  const roots = await repositoryRoots(folder);
  const files = [
    ...above.map((one) => ({ folder: one, path: join(one, '.mcp.json') })),
    ...roots.filter((root) => root !== folder).map((root) => ({ folder: root, path: localSettingsIn(root) })),
    ...definingFolders(folder, roots, home).flatMap((one) =>
      definitions.map((name) => ({ folder: one, path: join(one, '.claude', name) })),
    ),
  ];
  const areThere = await Promise.all(files.map(({ path }) => exists(path)));
  return files.filter((_file, index) => areThere[index]);
}

/** As far as Claude Code looks for definitions of projects: those in the home folder are the user's. */
function definingFolders(
  folder: string,
  [root, ...main]: readonly string[],
  home: string,
): readonly string[] {
  const [, ...above] = withParents(folder);
  const within = root === undefined ? above : above.filter((one) => isInside(one, root));
  const isOfUser = (one: string): boolean => one === home || (isInside(folder, home) && isInside(home, one));
  return [...within, ...main].filter((one) => !isOfUser(one));
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
