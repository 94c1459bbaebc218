import type { FileHandle } from 'node:fs/promises';
import { ownValue } from '../../core/json.js';
import { isContinued, sizeAndInode, tailAt, type Inode } from '../../files/inode.js';
import type { LinePlace } from '../../files/lines.js';
import { readLineBytes } from '../../files/lines.js';
import { openRegularFile } from '../../files/regular-file.js';
import { mayBeMessage, parseLine } from '../message-line.js';
import { bodiesIn, timeOf } from './timeline-line.js';

/** A line with something to show. Its text stays on disk, because a transcript may be far larger than a page. */
export interface Place extends LinePlace {
  readonly file: string;
  readonly at: number;
  readonly isOfAgent: boolean;
  /** How many items the line records. */
  readonly count: number;
}

/** The places of one file, as far as it has been read. */
export interface FileIndex {
  readonly inode: Inode;
  /** The offset after the last complete line. */
  readonly readTo: number;
  /** The bytes before that offset, which must still be there when the file has grown. */
  readonly tail: Buffer;
  readonly at: number;
  /** The newest ones. */
  readonly places: readonly Place[];
  /** How many items are in the lines before them. */
  readonly passed: number;
}

const nothing = { readTo: 0, at: 0, passed: 0, places: [] } as const;

export interface IndexedFile {
  readonly file: string;
  readonly isOfAgent: boolean;
  /** How many places are kept. */
  readonly most: number;
}

/** Reads what has been added since `known`, or all of the file if it was replaced. Undefined if it cannot be read. */
export async function indexFile(
  { file, isOfAgent, most }: IndexedFile,
  known: FileIndex | undefined,
): Promise<FileIndex | undefined> {
  return withFile(file, async (handle) => {
    const { size, inode } = await sizeAndInode(handle);
    const before =
      known?.inode === inode && (await isContinued(handle, { ...known, end: known.readTo }))
        ? known
        : nothing;
    if (before === known && size === known.readTo && known.places.length <= most) return known;
    let { readTo, at, passed } = before;
    const places = [...before.places];
    for await (const { start, bytes } of readLineBytes(handle, readTo, size)) {
      readTo = start + bytes.length + 1;
      if (!mayBeMessage(bytes)) continue;
      const line = parseLine(bytes.toString('utf8'));
      // Earlier versions recorded subagents in the transcript itself.
      const isAside = isOfAgent || ownValue(line, 'isSidechain') === true;
      const count = bodiesIn(line, isAside).length;
      // The order within a file counts, even if its times do not agree with it.
      at = Math.max(at, timeOf(line) ?? at);
      if (count > 0) places.push({ file, start, length: bytes.length, at, isOfAgent: isAside, count });
      if (places.length >= 2 * most) passed += dropOldest(places, most);
    }
    passed += dropOldest(places, most);
    return { inode, readTo, tail: await tailAt(handle, readTo), at, places, passed };
  });
}

/** Returns how many items it dropped. */
function dropOldest(places: Place[], most: number): number {
  const dropped = places.splice(0, Math.max(0, places.length - most));
  return dropped.reduce((sum, { count }) => sum + count, 0);
}

/** Undefined if the file cannot be read. */
export async function withFile<T>(
  file: string,
  act: (handle: FileHandle) => Promise<T>,
): Promise<T | undefined> {
  const handle = await openRegularFile(file).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    return await act(handle);
  } finally {
    await handle.close();
  }
}
