import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';

/** The number of links that Linux follows before it reports a loop. */
const maxLinks = 40;

/** The path without symbolic links. Undefined when nothing exists at that path. */
export async function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/**
 * The path without symbolic links other than those of a process, for a file or folder that may not exist. Resolves the part that exists. Also follows
 * a link whose target is missing, because writing through such a link creates the target.
 */
export function realPathOfNearest(path: string): string {
  const whole = resolve(path);
  if (statsOf(whole) === undefined) return walk(whole);
  try {
    // Like `realpath` above, it also corrects the case of names on a case-insensitive file system.
    const real = realpathSync.native(whole);
    if (real === whole) return real;
    const walked = walk(whole);
    return isOfProcess(walked) ? walked : real;
  } catch {
    // A link without a target, or a loop of links.
    return walk(whole);
  }
}

/** Goes down from the root to the first name that does not exist, because any number of names can follow it. */
function walk(path: string): string {
  const { root } = parse(path);
  // Last name first, so that taking one costs nothing.
  const names = namesIn(path.slice(root.length));
  let real = root;
  let linksLeft = maxLinks;
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const next = name === '..' ? dirname(real) : join(real, name);
    if (isOfProcess(next)) return join(next, ...names.filter((one) => one !== '..').toReversed());
    const found = statsOf(next);
    if (found === undefined) return join(inItsCase(real), [name, ...names.toReversed()].join(sep));
    const target = found.isSymbolicLink() && linksLeft > 0 ? linkTarget(next) : undefined;
    if (target === undefined) {
      real = next;
      continue;
    }
    linksLeft -= 1;
    const targetRoot = isAbsolute(target) ? parse(target).root : '';
    if (targetRoot !== '') real = resolve(targetRoot);
    names.push(...namesIn(target.slice(targetRoot.length)));
  }
  return inItsCase(real);
}

/**
 * Whether the path can mean another file in each process: `/proc/self/cwd`, which `/dev/fd` leads to as well. Its links
 * are not followed, so that it never seems to be inside a folder.
 */
function isOfProcess(path: string): boolean {
  return path.startsWith('/proc/');
}

/** The names of a path, last one first. Keeps `..`, because the name before it may be a link. */
function namesIn(path: string): string[] {
  return path
    .split(sep === '\\' ? /[\\/]/ : '/')
    .filter((name) => name !== '' && name !== '.')
    .toReversed();
}

function inItsCase(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
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
