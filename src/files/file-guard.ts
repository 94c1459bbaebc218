/**
 * Throws if an open file or folder must not be used. `asked` is the path that was opened or, for a path that a file
 * names, the folder on whose behalf it was opened.
 */
export type FileGuard = (asked: string, descriptor: number) => void;

let guard: FileGuard | undefined;

/**
 * A service that may read all files, but serves people who may not, checks every file that it opens. There is one guard
 * for the whole process, so that no reader can be built without it.
 */
export function guardFiles(chosen: FileGuard | undefined): void {
  guard = chosen;
}

export function refuseGuarded(asked: string, descriptor: number): void {
  guard?.(asked, descriptor);
}

export function isGuarded(): boolean {
  return guard !== undefined;
}
