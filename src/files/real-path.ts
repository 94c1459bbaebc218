import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { isOfProcess } from '../core/paths.js';

/** The number of links that Linux follows before it reports a loop. */
const maxLinks = 40;

/** The path without symbolic links. Undefined when nothing exists at that path, or if it is not UTF-8. */
export async function realPath(path: string): Promise<string | undefined> {
  const bytes = await realpath(path, { encoding: 'buffer' }).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const real = bytes.toString();
  return Buffer.from(real).equals(bytes) ? withoutDataVolume(real) : undefined;
}

/** What macOS shows of its data volume as folders of the system's own volume. */
const dataFolders =
  /^\/System\/Volumes\/Data(?=\/(?:Applications|Library|Users|Volumes|cores|opt|private|usr\/local)(?:\/|$))/;

/** On macOS, files of users have a second path that no link explains. Bounds are compared by the usual one. */
export function withoutDataVolume(path: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'darwin' ? path.replace(dataFolders, '') : path;
}

/**
 * The path without symbolic links other than those of a process, for a file or folder that may not exist. Resolves the
 * part that exists. Also follows a link whose target is missing, because writing through such a link creates the target.
 */
export function realPathOfNearest(path: string): string {
  return new LinkWalk().resolve(path);
}

/** Where a path leads that cannot be followed to its end. Nothing can exist there, and no folder contains it. */
export const unknownPlace = parse(process.cwd()).root + '(cannot be followed)';

/** What Node makes of bytes that are not UTF-8. Looked up under such a name, a file seems to be missing. */
const lostBytes = '\ufffd';

/** Whether a name from the file system may not be the whole truth, so that nothing can be looked up under it. */
export function isGarbled(name: string): boolean {
  return name.includes(lostBytes);
}

/** Each name costs as much as the path up to it is long: that is what the system looks up. */
const mostCharacters = 2_000_000;

/**
 * Follows links, name by name. A repository can contain links that take minutes to follow, so all paths of a walk share
 * a limit. What is known of a folder is remembered: use a walk for one moment only.
 */
export class LinkWalk {
  /** Files and folders that are no links. */
  readonly #plain = new Set<string>();
  readonly #named = new Map<string, string>();
  #left = mostCharacters;
  #hasTurned = false;

  /** Paths were left out: they resolve to `unknownPlace`. */
  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  /**
   * A link leads through the parent of what it names (`a/../b`). It leads elsewhere as soon as a folder replaces `a`, if
   * that is a link.
   */
  get hasTurned(): boolean {
    return this.#hasTurned;
  }

  /** Goes down from the root to the first name that does not exist, because any number of names can follow it. */
  resolve(path: string): string {
    return this.open(resolve(path));
  }

  /** Like the system: `..` is the parent of what the names before it lead to, which `resolve` drops together. */
  open(whole: string): string {
    return this.isExhausted ? unknownPlace : this.#follow(whole);
  }

  #follow(whole: string): string {
    const { root } = parse(whole);
    // Last name first, so that taking one costs nothing.
    const names = namesIn(whole.slice(root.length));
    let real = root;
    let linksLeft = maxLinks;
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const next = name === '..' ? dirname(real) : join(real, name);
      // Its links are not followed, so that it never seems to be inside a folder.
      if (isOfProcess(next)) return join(next, ...names.filter((one) => one !== '..').toReversed());
      this.#left -= next.length;
      if (this.isExhausted) return unknownPlace;
      if (name === '..' || this.#plain.has(next)) {
        real = next;
        continue;
      }
      const found = statsOf(next);
      if (found === 'unknown') return unknownPlace;
      if (found === undefined) return join(this.#inItsCase(real), [name, ...names.toReversed()].join(sep));
      const target = found.isSymbolicLink() && linksLeft > 0 ? linkTarget(next) : undefined;
      if (target === undefined) {
        if (!found.isSymbolicLink()) this.#plain.add(next);
        real = next;
        continue;
      }
      linksLeft -= 1;
      if (isGarbled(target)) return unknownPlace;
      const targetRoot = isAbsolute(target) ? parse(target).root : '';
      if (targetRoot !== '') real = resolve(targetRoot);
      names.push(...this.#namesOf(target.slice(targetRoot.length)));
    }
    return this.#inItsCase(real);
  }

  #inItsCase(path: string): string {
    const known = this.#named.get(path);
    if (known !== undefined) return known;
    const named = inItsCase(path);
    this.#named.set(path, named);
    return named;
  }

  #namesOf(target: string): string[] {
    const names = namesIn(target);
    this.#hasTurned ||= goesUpAgain(names);
    return names;
  }
}

/** The names of a path, last one first. Keeps `..`, because the name before it may be a link. */
function namesIn(path: string): string[] {
  return path
    .split(sep === '\\' ? /[\\/]/ : '/')
    .filter((name) => name !== '' && name !== '.')
    .toReversed();
}

/** Whether names, last one first, go up after they have gone down. */
function goesUpAgain(names: readonly string[]): boolean {
  const lastUp = names.indexOf('..');
  return lastUp !== -1 && names.slice(lastUp).some((name) => name !== '..');
}

/** Corrects the case of names on a case-insensitive file system. */
function inItsCase(path: string): string {
  try {
    return withoutDataVolume(realpathSync.native(path));
  } catch {
    return withoutDataVolume(path);
  }
}

/** In bytes. Nothing has a longer name. */
const longestName = 255;

/**
 * Undefined for a missing name, without an error: most words of a command name nothing, and errors are slow. Unknown if
 * the path up to it is too long for the system: a program that starts in a folder on the way may still get there.
 */
function statsOf(path: string): Stats | 'unknown' | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ENAMETOOLONG';
    return isTooLong && Buffer.byteLength(basename(path)) <= longestName ? 'unknown' : undefined;
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
