import { constants } from 'node:fs';
import { mkdir, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readCompleteLines } from '../files/lines.js';
import { openOwnFile } from '../files/own-file.js';
import { isMissing } from '../files/regular-file.js';
import { unusableFile } from './state-folder.js';

/** About a million turns. A longer file was not written by a server. */
const maxBytes = 256 * 1024 * 1024;

const { O_APPEND, O_CREAT, O_WRONLY } = constants;

/** Adds a line to a file of ours. */
export async function appendOwnLine(path: string, line: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await openOwnFile(path, O_APPEND | O_CREAT | O_WRONLY);
  try {
    await handle.appendFile(`${JSON.stringify(line)}\n`);
  } finally {
    await handle.close();
  }
}

/**
 * Yields the complete lines after an offset; none if there is no such file. Throws for a file that cannot be ours,
 * because treating it as empty would reset what it limits.
 */
export async function* readOwnLines(path: string, start: number): AsyncGenerator<string> {
  const handle = await openForReading(path);
  if (handle === undefined) return;
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw unusableFile(path, new Error(`it is longer than ${maxBytes} bytes`));
    yield* readCompleteLines(handle, start, size);
  } finally {
    await handle.close();
  }
}

async function openForReading(path: string): Promise<FileHandle | undefined> {
  try {
    return await openOwnFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unusableFile(path, error);
  }
}
