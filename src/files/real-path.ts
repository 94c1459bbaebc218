import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';

/** The number of links that Linux follows before it reports a loop. */
const maxLinks = 40;

/** The path without symbolic links. Undefined when nothing exists at that path. */
export async function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/**
 * The path without symbolic links, for a file or folder that may not exist. Resolves the part that exists. Also follows
 * a link whose target is missing, because writing through such a link creates the target.
 */
export function realPathOfNearest(path: string): string {
  return nearest(resolve(path), maxLinks);
}

function nearest(path: string, linksLeft: number): string {
  const found = statsOf(path);
  try {
    // Like `realpath` above, it also corrects the case of names on a case-insensitive file system.
    if (found !== undefined) return realpathSync.native(path);
  } catch {
    // A link without a target, or a loop of links.
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const realParent = nearest(parent, linksLeft);
  const target = found?.isSymbolicLink() === true && linksLeft > 0 ? linkTarget(path) : undefined;
  // Not `resolve`: it would drop `..` by text, although the segment before it may be a link.
  if (target !== undefined)
    return nearest(isAbsolute(target) ? target : `${realParent}${sep}${target}`, linksLeft - 1);
  return join(realParent, basename(path));
}

/** Undefined for a missing name, without an error: most words of a command name nothing, and errors are slow. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
