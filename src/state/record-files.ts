import { lstatSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { isUuid, type SessionId } from '../core/ids.js';

/** The file of a record, as the file system describes it. */
export interface RecordFile {
  readonly sessionId: SessionId;
  readonly modifiedAt: number;
  readonly bytes: number;
}

/** How many files are looked at before other work has its turn. */
const slice = 500;

/** The files of all records, without reading them. Journals come first: a record of the first format may remain. */
export async function findRecordFiles(folder: string): Promise<readonly RecordFile[]> {
  const names = await readdir(folder).catch(() => []);
  const found = new Map<string, RecordFile>();
  let looked = 0;
  for (const suffix of ['.jsonl', '.json'])
    for (const name of names) {
      const sessionId = name.slice(0, -suffix.length);
      if (!name.endsWith(suffix) || !isUuid(sessionId) || found.has(sessionId)) continue;
      // Synchronous, because ten thousand promises cost more than the calls themselves.
      const stats = statsOf(join(folder, name));
      if (stats?.isFile() === true)
        found.set(sessionId, {
          sessionId: sessionId as SessionId,
          modifiedAt: stats.mtimeMs,
          bytes: stats.size,
        });
      looked += 1;
      if (looked % slice === 0) await others();
    }
  return [...found.values()];
}

export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
