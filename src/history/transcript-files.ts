import { lstatSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { isUuid } from '../core/ids.js';
import type { ClaudeHome } from './claude-home.js';

/** A transcript as the file system knows it. The same object for as long as the file has not changed. */
export interface TranscriptFile {
  readonly sessionId: string;
  readonly folder: string;
  readonly modifiedAt: number;
  readonly bytes: number;
}

export interface FoundTranscripts {
  /** Latest first, each session once. */
  readonly files: readonly TranscriptFile[];
  /** Folders and files that could not be looked at. */
  readonly unreadable: number;
}

/** What was seen of a project folder the last time. */
interface Folder {
  readonly modifiedAt: number;
  readonly readAt: number;
  /** Undefined when it could not be read. */
  readonly files: TranscriptFile[] | undefined;
}

const suffix = '.jsonl';
/** How long everybody else may be kept waiting. */
const sliceMs = 5;
/** Times of files can be this coarse: a folder that was read sooner after a change may have changed again unnoticed. */
const coarseMs = 3_000;

export function pathOf({ folder, sessionId }: Pick<TranscriptFile, 'folder' | 'sessionId'>): string {
  return `${folder}${sep}${sessionId}${suffix}`;
}

/**
 * Every transcript there is. What has not changed is kept from one question to the next: ten thousand new objects a
 * question would be megabytes of garbage. Links are passed over: one could lead to a file that is none of Claude Code's.
 */
export class TranscriptTable {
  readonly #projectsDir: string;
  readonly #folders = new Map<string, Folder>();
  /** Sessions that lie in more than one folder; looked for only when a folder was read anew. */
  #twice: ReadonlySet<string> | undefined;

  constructor({ projectsDir }: ClaudeHome) {
    this.#projectsDir = projectsDir;
  }

  /** Those of the project folders whose names are wanted. */
  async find(isWanted: (folderName: string) => boolean = () => true): Promise<FoundTranscripts> {
    const names = await this.#folderNames();
    const found: TranscriptFile[] = [];
    let unreadable = 0;
    const pause = slices();
    for (const name of names.filter(isWanted)) {
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
    const entries = await readdir(this.#projectsDir, { withFileTypes: true }).catch(() => []);
    const names = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
    for (const gone of [...this.#folders.keys()].filter((name) => !names.has(name)))
      this.#folders.delete(gone);
    return [...names];
  }

  /** As they were known: their times and sizes are asked for afterwards. */
  async #list(name: string): Promise<TranscriptFile[] | undefined> {
    const path = join(this.#projectsDir, name);
    const modifiedAt = statsOf(path)?.mtimeMs ?? 0;
    const known = this.#folders.get(name);
    if (known?.modifiedAt === modifiedAt && known.readAt > modifiedAt + coarseMs) return known.files;
    const readAt = Date.now();
    const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
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

/** Synchronous: for so small a question, ten thousand promises cost four times as much as the answers. */
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

/** Lets others have their turn after each slice of work. */
function slices(): () => Promise<void> | undefined {
  let end = performance.now() + sliceMs;
  return () => {
    if (performance.now() < end) return undefined;
    return others().then(() => void (end = performance.now() + sliceMs));
  };
}
