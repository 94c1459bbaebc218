import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isUuid } from '../core/ids.js';
import { openOwnFile } from '../files/own-file.js';
import { isMissing, readOpened } from '../files/regular-file.js';

export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  /** When it was last written. */
  readonly at: number;
}

export interface StoredSession {
  readonly id: string;
  /** In the order in which they can be deleted. */
  readonly files: readonly StoredFile[];
  readonly bytes: number;
  /** When one of its files was last written. */
  readonly at: number;
  /** Version 0.1 kept its budget in a file, and did not note the forks that share it. */
  readonly hasOldBudget: boolean;
}

export interface Inventory {
  readonly sessions: ReadonlyMap<string, StoredSession>;
  /** Files about one day, by its date. */
  readonly days: readonly (StoredFile & { readonly date: string })[];
  /** Files that were meant to replace others. */
  readonly temporary: readonly StoredFile[];
}

/** Which session a file belongs to. A record of version 0.1 comes first, because it would replace a missing journal. */
const places: readonly (readonly [folder: string, name: RegExp])[] = [
  ['sessions', /^([0-9a-f-]{36})\.json$/],
  ['sessions', /^([0-9a-f-]{36})\.jsonl$/],
  ['sessions/events', /^([0-9a-f-]{36})(?:\.older)?\.jsonl$/],
  ['budgets', /^([0-9a-f-]{36})\.jsonl$/],
];

const dayFile = /^(\d{4}-\d\d-\d\d)\.(?:sessions|jsonl)$/;

/** Everything in the state folder that grows with its use. */
export async function readInventory(stateDir: string): Promise<Inventory> {
  const found = new Map<string, StoredFile[]>();
  const add = (id: string, file: StoredFile): void => void found.set(id, [...(found.get(id) ?? []), file]);
  const folders = new Map<string, readonly StoredFile[]>();
  for (const name of ['sessions', 'sessions/events', 'sessions/aliases', 'budgets', 'usage'])
    folders.set(name, await filesIn(join(stateDir, name)));
  for (const [folder, pattern] of places)
    for (const file of folders.get(folder) ?? []) {
      const id = pattern.exec(nameOf(file))?.[1];
      if (id !== undefined && isUuid(id)) add(id, file);
    }
  for (const alias of folders.get('sessions/aliases') ?? []) {
    const id = await readOpened(openOwnFile(alias.path), 100);
    if (id !== undefined && isUuid(id)) add(id, alias);
  }
  return {
    sessions: new Map([...found].map(([id, files]) => [id, toSession(id, files, join(stateDir, 'budgets'))])),
    days: (folders.get('usage') ?? []).flatMap((file) => {
      const date = dayFile.exec(nameOf(file))?.[1];
      return date === undefined ? [] : [{ ...file, date }];
    }),
    temporary: [...folders.values()].flat().filter(({ path }) => path.endsWith('.tmp')),
  };
}

/** Undefined if there is no such file. */
export async function storedFile(path: string): Promise<StoredFile | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() === true ? { path, bytes: stats.size, at: stats.mtimeMs } : undefined;
}

function toSession(id: string, files: readonly StoredFile[], budgets: string): StoredSession {
  return {
    id,
    files,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    at: Math.max(...files.map(({ at }) => at)),
    hasOldBudget: files.some(({ path }) => path.startsWith(budgets)),
  };
}

async function filesIn(folder: string): Promise<StoredFile[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const files: StoredFile[] = [];
  for (const name of names) {
    const file = await storedFile(join(folder, name));
    if (file !== undefined) files.push(file);
  }
  return files;
}

function nameOf({ path }: StoredFile): string {
  return basename(path);
}
