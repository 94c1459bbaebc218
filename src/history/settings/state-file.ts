import { chmod, mkdir, rmdir, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { replaceFile } from '../../files/atomic-write.js';
import { realPathOfNearest } from '../../files/real-path.js';
import { isMissing, openRegularFile, readRegularFile } from '../../files/regular-file.js';

/** Far more than Claude Code's own state needs. */
const maxBytes = 64 * 1024 * 1024;
/** Claude Code takes over a lock that is older than this. */
const staleMs = 10_000;
const retryMs = 50;
const defaultPatienceMs = 5_000;

/** Another program is changing the file. */
export class BusyStateFileError extends Error {
  override readonly name = 'BusyStateFileError';
}

/** The text of Claude Code's state file. Undefined if there is none. Throws if it cannot be read. */
export async function readStateFile(path: string): Promise<string | undefined> {
  try {
    return await readRegularFile(openRegularFile(path), maxBytes);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Changes the state file as Claude Code itself does: under its lock, and as a whole. `change` returns undefined to leave
 * the file as it is.
 */
export async function changeStateFile(
  path: string,
  change: (text: string | undefined) => string | undefined,
  patienceMs = defaultPatienceMs,
): Promise<void> {
  const work = async (): Promise<void> => {
    const text = change(await readStateFile(path));
    // Dotfile managers put a link in its place, which must stay.
    if (text !== undefined) await replaceWithMode(realPathOfNearest(path), text);
  };
  await underStateLock(path, work, patienceMs);
}

/** Works while no Claude Code changes the file. Its lock is a folder beside it. Throws a BusyStateFileError. */
export async function underStateLock<T>(
  path: string,
  work: () => Promise<T>,
  patienceMs = defaultPatienceMs,
): Promise<T> {
  const lock = `${path}.lock`;
  for (let left = patienceMs / retryMs; !(await isTaken(lock)); left -= 1) {
    if (left <= 0) throw new BusyStateFileError(`another program is changing ${path}`);
    await pause(retryMs);
  }
  try {
    return await work();
  } finally {
    await rmdir(lock).catch(() => undefined);
  }
}

/** True if the lock is ours now. */
async function isTaken(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const changedAt = await stat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    // Its program was killed.
    if (Date.now() - changedAt > staleMs) await rmdir(lock).catch(() => undefined);
    return false;
  }
}

/** Keeps who may read it. A new file is private. */
async function replaceWithMode(path: string, text: string): Promise<void> {
  const before = await stat(path).catch(() => undefined);
  await replaceFile(path, text);
  if (before !== undefined) await chmod(path, before.mode & 0o777);
}
