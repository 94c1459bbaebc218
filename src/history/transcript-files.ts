import { lstatSync, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { isUuid } from '../core/ids.js';
import { entriesIn } from '../files/folder-names.js';
import { Turns } from '../files/turns.js';
import type { ClaudeHome } from './claude-home.js';

/** A transcript as the file system describes it. Remains the same object until the file changes. */
export interface TranscriptFile {
  readonly sessionId: string;
  readonly folder: string;
  readonly modifiedAt: number;
  readonly bytes: number;
}

export interface FoundTranscripts {
  /** Latest first, each session once. */
  readonly files: readonly TranscriptFile[];
  /** Folders and files that could not be read. */
  readonly unreadable: number;
}

/** The last known content of a project folder. */
interface Folder {
  readonly modifiedAt: number;
  readonly readAt: number;
  /** Undefined when it could not be read. */
  readonly files: TranscriptFile[] | undefined;
}

const suffix = '.jsonl';
/** More than a person has projects. Each costs time, even if it is empty. */
const maxFolders = 10_000;
/** The longest time to block the event loop. */
const sliceMs = 5;
/** The resolution of file times. A folder read sooner than this after a change may change again unnoticed. */
const coarseMs = 3_000;

export function pathOf({ folder, sessionId }: Pick<TranscriptFile, 'folder' | 'sessionId'>): string {
  return `${folder}${sep}${sessionId}${suffix}`;
}

/**
 * All transcripts. Keeps the objects of unchanged files between calls: ten thousand new ones per call would be
 * megabytes of garbage. Skips links, which could lead to files outside Claude Code's folders.
 */
export class TranscriptTable {
  readonly #projectsDir: string;
  readonly #folders = new Map<string, Folder>();
  /** Sessions that exist in several folders. Recomputed only after a folder was read again. */
  #twice: ReadonlySet<string> | undefined;

  readonly #turns = new Turns(1);

  constructor({ projectsDir }: ClaudeHome) {
    this.#projectsDir = projectsDir;
  }

  /** The transcripts in the project folders whose names match. */
  async find(isWanted: (folderName: string) => boolean = () => true): Promise<FoundTranscripts> {
    // The next search knows what this one has found.
    await this.#turns.begin();
    try {
      return await this.#search(isWanted);
    } finally {
      this.#turns.end();
    }
  }

  async #search(isWanted: (folderName: string) => boolean): Promise<FoundTranscripts> {
    const names = (await this.#folderNames()).filter(isWanted);
    const found: TranscriptFile[] = [];
    let unreadable = Math.max(0, names.length - maxFolders);
    const pause = slices();
    for (const name of names.slice(0, maxFolders)) {
      await pause();
      const files = await this.#list(name);
      if (files === undefined) unreadable += 1;
      for (const [index, file] of files?.entries() ?? []) {
        await pause();
        const now = look(file);
        if (now !== undefined && files !== undefined) files[index] = now;
        if (now === undefined) unreadable += 1;
        else found.push(now);
      }
    }
    return { files: this.#latest(found), unreadable };
  }

  async #folderNames(): Promise<string[]> {
    const entries = await entriesIn(this.#projectsDir).catch(() => []);
    const names = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
    for (const gone of [...this.#folders.keys()].filter((name) => !names.has(name)))
      this.#folders.delete(gone);
    return [...names];
  }

  /** May be stale: times and sizes are refreshed afterwards. */
  async #list(name: string): Promise<TranscriptFile[] | undefined> {
    const path = join(this.#projectsDir, name);
    const modifiedAt = statsOf(path)?.mtimeMs ?? 0;
    const known = this.#folders.get(name);
    if (known?.modifiedAt === modifiedAt && known.readAt > modifiedAt + coarseMs) return known.files;
    const readAt = Date.now();
    const entries = await entriesIn(path).catch(() => undefined);
    const before = new Map(known?.files?.map((file) => [file.sessionId, file]));
    const files = entries
      ?.filter((entry) => entry.isFile() && isTranscript(entry.name))
      .map(({ name: file }) => file.slice(0, -suffix.length))
      .map((sessionId) => before.get(sessionId) ?? { sessionId, folder: path, modifiedAt: 0, bytes: 0 });
    this.#folders.set(name, { modifiedAt, readAt, files });
    this.#twice = undefined;
    return files;
  }

  #latest(found: readonly TranscriptFile[]): readonly TranscriptFile[] {
    const files = found.toSorted((a, b) => b.modifiedAt - a.modifiedAt);
    const twice = (this.#twice ??= repeated([...this.#folders.values()].flatMap(({ files = [] }) => files)));
    if (twice.size === 0) return files;
    const seen = new Set<string>();
    return files.filter(
      ({ sessionId }) => !twice.has(sessionId) || (!seen.has(sessionId) && seen.add(sessionId)),
    );
  }
}

function repeated(files: readonly TranscriptFile[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { sessionId } of files) (seen.has(sessionId) ? twice : seen).add(sessionId);
  return twice;
}

function isTranscript(name: string): boolean {
  return name.endsWith(suffix) && isUuid(name.slice(0, -suffix.length));
}

/** Synchronous, because ten thousand promises cost four times as much as the calls themselves. */
function look(file: TranscriptFile): TranscriptFile | undefined {
  const stats = statsOf(pathOf(file));
  if (stats?.isFile() !== true) return undefined;
  if (stats.mtimeMs === file.modifiedAt && stats.size === file.bytes) return file;
  return { ...file, modifiedAt: stats.mtimeMs, bytes: stats.size };
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Yields to the event loop after each slice of work. */
function slices(): () => Promise<void> | undefined {
  let end = performance.now() + sliceMs;
  return () => {
    if (performance.now() < end) return undefined;
    return others().then(() => void (end = performance.now() + sliceMs));
  };
}
