import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { chainLine, followChain, readLine, type ChainHead, noHead } from './chain.js';
import { rotatedFiles, rotatedPath } from './paths.js';
import type { HeadFile } from './secrets.js';

export interface AuditFileSettings {
  readonly path: string;
  readonly key: Buffer;
  /** Where the chain stood when it was written last; undefined for a new one. */
  readonly knownHead: ChainHead | undefined;
  readonly headFile: HeadFile;
  readonly maxBytes: number;
  readonly now: () => number;
}

const writableByOthers = 0o022;

/** One chain of lines, in a file that is put aside when it is full. */
export class AuditFile {
  readonly #settings: AuditFileSettings;
  #descriptor: number;
  #size: number;
  #firstSeq: number | undefined;
  /** Put aside already; the next file could not be opened yet. */
  #isAside = false;
  head: ChainHead;
  /** In words, when the file is not as it was left: the chain goes on from where it stood, so that a check finds it. */
  readonly misfit: string | undefined;

  constructor(settings: AuditFileSettings) {
    this.#settings = settings;
    this.#descriptor = openLog(settings.path);
    const lines = linesOf(this.#descriptor);
    refuseStranger(lines, settings);
    this.#size = fstatSync(this.#descriptor).size;
    const found = standOf(lines, settings);
    this.head = found.head;
    // Also of an empty one: from now on it is known where it stands.
    settings.headFile.write(found.head);
    this.misfit = found.misfit;
    const [first] = lines;
    this.#firstSeq = first && readLine(first, settings.key)?.seq;
  }

  /** Throws when it is not on disk; the chain stands where it stood then. */
  append(entry: object): void {
    const { key, now, maxBytes, headFile } = this.#settings;
    const { line, head } = chainLine(this.head, entry, { key, time: new Date(now()).toISOString() });
    this.#refuseWhenMoved();
    if (this.#isAside || (this.#size > 0 && this.#size + line.length > maxBytes)) this.#rotate();
    this.#write(line);
    this.#firstSeq ??= head.seq;
    this.head = head;
    headFile.write(head);
  }

  close(): void {
    closeSync(this.#descriptor);
    this.#settings.headFile.close();
  }

  /** A file that was deleted or moved away still takes lines, which nobody would ever see. */
  #refuseWhenMoved(): void {
    if (this.#isAside) return;
    const ours = fstatSync(this.#descriptor);
    const there = lstatSync(this.#settings.path, { throwIfNoEntry: false });
    if (there?.ino !== ours.ino || there.dev !== ours.dev)
      throw new Error('it was moved away or deleted: put it back, or start the server again');
  }

  #write(line: Buffer): void {
    try {
      let written = 0;
      while (written < line.length) written += writeSync(this.#descriptor, line, written);
      this.#size += line.length;
    } catch (error) {
      // Half a line would look like one that somebody has cut.
      ftruncateSync(this.#descriptor, this.#size);
      throw error;
    }
  }

  #rotate(): void {
    const { path } = this.#settings;
    if (!this.#isAside) {
      const aside = rotatedPath(path, this.#firstSeq ?? this.head.seq);
      if (existsSync(aside)) throw new Error(`${aside} is in the way`);
      renameSync(path, aside);
      this.#isAside = true;
    }
    const next = openLog(path);
    closeSync(this.#descriptor);
    this.#descriptor = next;
    this.#isAside = false;
    this.#size = 0;
    this.#firstSeq = undefined;
  }
}

function openLog(path: string): number {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error('it is a symbolic link');
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  // Windows has neither bit. Without NONBLOCK a pipe would hang the start.
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
  const descriptor = openSync(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0o600);
  // Asked of what is open, not of the name: nothing can be put in its place meanwhile.
  const stats = fstatSync(descriptor);
  const isShared = process.platform !== 'win32' && (stats.mode & writableByOthers) !== 0;
  if (!stats.isFile() || isShared) {
    closeSync(descriptor);
    throw new Error(isShared ? 'it can be written by others' : 'it is not a file');
  }
  if (process.platform !== 'win32') fchmodSync(descriptor, 0o600);
  return descriptor;
}

/** Whole lines; what a crash has left of one is taken away. */
function linesOf(descriptor: number): Buffer[] {
  const bytes = readFileSync(descriptor);
  const end = bytes.lastIndexOf(10) + 1;
  if (end < bytes.length) ftruncateSync(descriptor, end);
  const lines: Buffer[] = [];
  for (let from = 0; from < end;) {
    const next = bytes.indexOf(10, from);
    lines.push(bytes.subarray(from, next));
    from = next + 1;
  }
  return lines;
}

/** Lines of which nothing is known any more: to go on from them would be to vouch for them. */
function refuseStranger(lines: readonly Buffer[], { path, key, knownHead }: AuditFileSettings): void {
  if (knownHead !== undefined) return;
  const [first] = lines;
  const isOurs =
    first === undefined || (lines.length === 1 && typeof followChain(first, noHead, key) === 'object');
  if (isOurs && rotatedFiles(path).length === 0) return;
  throw new Error(
    'it was written with a key or a state folder that is not here: restore CLAUDE_CODE_MCP_STATE_DIR, or move the old files away',
  );
}

/** Where the chain stands: a server may have ended before it could note its last lines. */
function standOf(
  lines: readonly Buffer[],
  { key, knownHead = noHead }: AuditFileSettings,
): { readonly head: ChainHead; readonly misfit: string | undefined } {
  let head = knownHead;
  for (const line of lines) {
    const next = followChain(line, head, key);
    if (typeof next === 'object') head = next;
  }
  const last = lines.at(-1);
  // None: it is new, or was put aside right before the server ended.
  const isWhole = last === undefined || readLine(last, key)?.mac === head.mac;
  return { head, misfit: isWhole ? undefined : 'its last line is not the one that was written last' };
}
