import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { localFolders, localSettingsIn } from './local-settings.js';

/** With project settings, Claude Code also starts the MCP servers that parent folders name. */
export async function parentsWithServers(folder: string): Promise<string[]> {
  const parents: string[] = [];
  for (let parent = dirname(folder); parent !== dirname(parent); parent = dirname(parent))
    parents.push(parent);
  const named = await Promise.all(parents.map((parent) => exists(join(parent, '.mcp.json'))));
  return parents.filter((_parent, index) => named[index] === true);
}

/** With local settings, Claude Code also loads those in the root of the repository, with their hooks. */
export async function rootsWithSettings(folder: string): Promise<string[]> {
  const roots = (await localFolders(folder)).filter((root) => root !== folder);
  const found = await Promise.all(roots.map((root) => exists(localSettingsIn(root))));
  return roots.filter((_root, index) => found[index] === true);
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
