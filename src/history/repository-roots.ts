import { constants } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { openRegularFile, readOpened } from '../files/regular-file.js';

/** A file in which git names a folder is one short line. */
const maxPointerBytes = 8_192;

/**
 * The root of the working tree that contains the folder, and in a linked worktree also the root of the main one; empty
 * outside of a repository. Reads git's files, because git itself can run programs that a repository names.
 */
export async function repositoryRoots(folder: string): Promise<readonly string[]> {
  // All at once, because each look would wait for the one before it.
  const found = await Promise.all(upwardsFrom(folder).map(kindOfGit));
  const nearest = found.find(({ kind }) => kind !== undefined);
  if (nearest === undefined) return [];
  const { root, git, kind } = nearest;
  const main = kind === 'file' ? await mainRoot(root, git, folder) : undefined;
  return main === undefined ? [root] : [root, main];
}

function upwardsFrom(folder: string): string[] {
  const folders = [folder];
  for (let last = folder; dirname(last) !== last; last = dirname(last)) folders.push(dirname(last));
  return folders;
}

async function kindOfGit(
  root: string,
): Promise<{ readonly root: string; readonly git: string; readonly kind: 'folder' | 'file' | undefined }> {
  const git = join(root, '.git');
  // Like git and Claude Code, follows a link in its place.
  const found = await stat(git).catch(() => undefined);
  const kind = found?.isDirectory() === true ? 'folder' : found?.isFile() === true ? 'file' : undefined;
  return { root, git, kind };
}

async function mainRoot(root: string, pointer: string, behalf: string): Promise<string | undefined> {
  const [, gitDir] = /^gitdir: (.+)$/m.exec((await shortText(pointer, behalf)) ?? '') ?? [];
  if (gitDir === undefined) return undefined;
  const own = resolve(root, gitDir);
  const common = (await shortText(join(own, 'commondir'), behalf))?.trim();
  const shared = common === undefined ? undefined : resolve(own, common);
  return shared !== undefined && basename(shared) === '.git' ? dirname(shared) : undefined;
}

function shortText(path: string, behalf: string): Promise<string | undefined> {
  return readOpened(openRegularFile(path, constants.O_RDONLY, behalf), maxPointerBytes);
}
