import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isGuarded } from '../files/file-guard.js';
import { entriesIn } from '../files/folder-names.js';
import { readLastLines } from '../files/last-lines.js';
import { endOfLastLine, readCompleteLines } from '../files/lines.js';
import type { ClaudeHome } from './claude-home.js';
import { ownValue, parseJson } from '../core/json.js';
import { isOwnNote } from './message-line.js';
import { projectFolderName } from './project-folder.js';
import { sizeAndInode, type Inode } from '../files/inode.js';
import { realPath } from '../files/real-path.js';
import { isMissing, openRegularFile } from '../files/regular-file.js';

// An idle process adds a few hundred bytes. More than this is a conversation.
const MAX_BOOKKEEPING_BYTES = 16 * 1024 * 1024;

/** The length of a transcript at some moment. */
export interface TranscriptMark {
  readonly path: string;
  readonly size: number;
  readonly inode: Inode;
}

/**
 * The transcript of a session: in the folder of `cwd` if it exists there, otherwise in any project folder. Callers must
 * validate the id first, because it becomes part of a path.
 */
export async function findTranscript(
  { projectsDir }: ClaudeHome,
  claudeSessionId: string,
  cwd?: string,
): Promise<string | undefined> {
  const name = `${claudeSessionId}.jsonl`;
  if (cwd !== undefined) {
    const likely = join(projectsDir, projectFolderName((await realPath(cwd)) ?? cwd), name);
    if (await isFile(likely)) return likely;
  }
  for (const { name: folder } of await entriesIn(projectsDir).catch(() => [])) {
    const path = join(projectsDir, folder, name);
    if (await isFile(path)) return path;
  }
  return undefined;
}

/** Taken at the end of each of our turns. Undefined when there is no transcript. */
export async function markTranscript(path: string): Promise<TranscriptMark | undefined> {
  const handle = await openIfPresent(path);
  if (handle === undefined) return undefined;
  try {
    const { size, inode } = await sizeAndInode(handle);
    return { path, size: await endOfLastLine(handle, size), inode };
  } finally {
    await handle.close();
  }
}

/**
 * Whether another process has continued the conversation since the mark. `isOurs` recognises the uuids of messages that
 * we sent or received, which Claude Code also writes. When unsure, it returns true, which costs a resume. A wrong false
 * would lose the turns of the other process.
 */
export async function hasForeignTurns(
  mark: TranscriptMark,
  isOurs: (uuid: string) => boolean,
): Promise<boolean> {
  const handle = await openIfPresent(mark.path);
  // A deleted transcript contains no turn that we could miss, and cannot be resumed either.
  if (handle === undefined) return false;
  try {
    const { size, inode } = await sizeAndInode(handle);
    if (inode !== mark.inode || size < mark.size || size - mark.size > MAX_BOOKKEEPING_BYTES) return true;
    for await (const line of readCompleteLines(handle, mark.size, size)) {
      if (line.trim() !== '' && isForeignTurn(parseJson(line), isOurs)) return true;
    }
    return false;
  } finally {
    await handle.close();
  }
}

function isForeignTurn(line: unknown, isOurs: (uuid: string) => boolean): boolean {
  // Two concurrent writers leave unreadable lines.
  if (line === undefined) return true;
  const type = ownValue(line, 'type');
  if ((type !== 'user' && type !== 'assistant') || ownValue(line, 'isSidechain') === true) return false;
  // Our own process writes these lines without reporting them. Skipping them is safe: if another process wrote them, an
  // answer follows.
  if (ownValue(line, 'isMeta') === true || isOwnNote(line)) return false;
  if (ownValue(line, 'origin', 'kind') === 'task-notification') return false;
  const uuid = ownValue(line, 'uuid');
  return typeof uuid !== 'string' || !isOurs(uuid);
}

/**
 * Whether messages are missing that Claude Code reported, oldest first. It has exited, so nothing more will be written.
 * Of a long transcript only the end is read, and those before the first that is found there count as written.
 */
export async function lacksMessages(path: string, uuids: readonly string[]): Promise<boolean> {
  const handle = await openIfPresent(path);
  if (handle === undefined) return uuids.length > 0;
  try {
    const { size } = await sizeAndInode(handle);
    // Other lines name the message as the one before.
    const members = uuids.map((uuid) => `"uuid":"${uuid}"`);
    const open = new Set(members);
    let read = 0;
    for await (const { bytes } of readLastLines(handle, size)) {
      for (const member of open) if (bytes.includes(member)) open.delete(member);
      read += bytes.length;
      if (open.size === 0) return false;
      if (read > MAX_BOOKKEEPING_BYTES) break;
    }
    const isWhole = read <= MAX_BOOKKEEPING_BYTES;
    const first = isWhole
      ? 0
      : Math.max(
          0,
          members.findIndex((member) => !open.has(member)),
        );
    return members.slice(first).some((member) => open.has(member));
  } finally {
    await handle.close();
  }
}

async function openIfPresent(path: string) {
  try {
    return await openRegularFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function isFile(path: string): Promise<boolean> {
  // What a user may not read must look as if it did not exist.
  if (isGuarded()) return opens(path);
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function opens(path: string): Promise<boolean> {
  const handle = await openRegularFile(path).catch(() => undefined);
  await handle?.close();
  return handle !== undefined;
}
