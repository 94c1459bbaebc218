import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { someEntriesInSync } from '../../files/folder-names.js';
import { isGarbled, type LinkWalk } from '../../files/real-path.js';
import type { Target } from '../../policy/gate/call.js';

/** As many as can be looked at without keeping other sessions waiting. */
const mostEntries = 50_000;
const mostLinks = 2_000;
/** Opening a folder takes as long as reading this many of its entries. */
const costOfFolder = 10;

/** Folders of programs, with many links of their own. They are looked at only if a command names them. */
const passedOver: ReadonlySet<string> = new Set(['node_modules', '.git']);

export interface LinksBelow {
  readonly links: readonly Target[];
  /** False if there are more files than were looked at, or some that could not be. */
  readonly isComplete: boolean;
}

/** All links in these folders and below, the nearest first. Follows none of them. */
export function linksBelow(folders: readonly string[], behalf: string, walk: LinkWalk): LinksBelow {
  const queue = new Set(folders);
  const links: Target[] = [];
  let left = mostEntries;
  let isComplete = true;
  for (const folder of queue) {
    const { entries, isAll } = entriesOf(folder, behalf, left);
    isComplete &&= isAll;
    left -= entries.length + costOfFolder;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (isGarbled(entry.name)) isComplete &&= entry.isFile();
      else if (entry.isSymbolicLink()) links.push({ named: path, real: walk.resolve(path) });
      else if (entry.isDirectory() && !passedOver.has(entry.name)) queue.add(path);
      if (links.length > mostLinks || walk.isExhausted) return { links, isComplete: false };
    }
    if (left <= 0) return { links, isComplete: false };
  }
  return { links, isComplete };
}

function entriesOf(folder: string, behalf: string, most: number): ReturnType<typeof someEntriesInSync> {
  try {
    return someEntriesInSync(folder, behalf, most);
  } catch (error) {
    return { entries: [], isAll: !mayBeEntered(folder, error) };
  }
}

/** Whether a command may open files in a folder that this server cannot list. */
function mayBeEntered(folder: string, error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EACCES') return code === 'ENAMETOOLONG';
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
