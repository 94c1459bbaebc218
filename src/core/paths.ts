import nodePath, { type PlatformPath } from 'node:path';

/** What a shell makes of a path that begins with `~`; undefined for any other. */
export function atHome(path: string, home: string): string | undefined {
  return /^~(?=[/\\]|$)/.test(path) ? nodePath.join(home, path.slice(1)) : undefined;
}

/** The folder and all above it, up to the root. */
export function withParents(folder: string): string[] {
  const parent = nodePath.dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

/**
 * Whether `path` is `folder` or lies below it. It compares whole segments, so `/a/bc` is not inside `/a/b`; on Windows
 * it ignores case. It resolves no links, so pass real paths. A relative path is never inside anything, because its
 * meaning depends on a working directory.
 */
export function isInside(path: string, folder: string, flavour: PlatformPath = nodePath): boolean {
  if (!flavour.isAbsolute(path) || !flavour.isAbsolute(folder)) return false;
  const way = flavour.relative(folder, path);
  // Between two drives `relative` returns the absolute target.
  return way !== '..' && !way.startsWith(`..${flavour.sep}`) && !flavour.isAbsolute(way);
}

/**
 * Whether the path can mean another file in each process: `/proc/self/cwd`, which `/dev/fd` leads to as well. What else is
 * in `/proc` has a plain name, such as `/proc/cpuinfo`.
 */
export function isOfProcess(path: string): boolean {
  return /^\/proc\/(?:(?:thread-)?self(?:\/|$)|(?![a-z][a-z_-]*(?:\/|$)).)/.test(path);
}
