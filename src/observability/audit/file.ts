import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { NotPrivateError, openPrivateFile, type PrivacyProblem } from '../../files/private-file.js';
import { chainLine, followChain, noHead, readLine, splitLines, type ChainHead } from './chain.js';
import { AuditSecrets, type HeadFile } from './secrets.js';

export interface AuditFileSettings {
  /** Uses the real path of its folder, because the head is stored under this name. */
  readonly path: string;
  readonly stateDir: string;
  readonly maxBytes: number;
  readonly now: () => number;
}

const problems: Readonly<Record<PrivacyProblem, string>> = {
  'symbolic-link': 'it is a symbolic link. Use the path of a regular file.',
  'wrong-kind': 'it is not a regular file. Use the path of a regular file.',
  'writable-by-others': 'other users can write to it. Run chmod 600 on this file.',
};

/** One chain of lines, in a file that is renamed when it is full. */
export class AuditFile {
  readonly #settings: AuditFileSettings;
  readonly #key: Buffer;
  readonly #headFile: HeadFile;
  #descriptor: number;
  #size: number;
  #firstSeq: number | undefined;
  /** The full file was renamed, but the next one could not be opened yet. */
  #isRenamed = false;
  head: ChainHead;
  /**
   * Set when the file does not end with the last line that was written. The chain continues, so a check finds the gap.
   */
  readonly misfit: string | undefined;

  constructor(settings: AuditFileSettings) {
    this.#settings = settings;
    const secrets = new AuditSecrets(settings.stateDir);
    this.#key = secrets.ensureKey();
    const knownHead = secrets.readHead(settings.path);
    this.#descriptor = openLog(settings.path);
    const bytes = readFileSync(this.#descriptor);
    const { lines, end } = splitLines(bytes);
    // A crash can leave half a line.
    if (end < bytes.length) ftruncateSync(this.#descriptor, end);
    this.#size = end;
    if (knownHead === undefined) this.#refuseUnknown(lines);
    this.head = headAfter(lines, knownHead ?? noHead, this.#key);
    const [first, last] = [lines[0], lines.at(-1)];
    // An empty file is new, or the server exited right after it renamed a full one.
    const isWhole = last === undefined || readLine(last, this.#key)?.mac === this.head.mac;
    this.misfit = isWhole ? undefined : 'its last line is not the last line that the server wrote';
    this.#firstSeq = first && readLine(first, this.#key)?.seq;
    this.#headFile = secrets.openHead(settings.path);
    // Stores a head even before the first line, so that a check recognises this log.
    this.#headFile.write(this.head);
  }

  /** Throws when the line could not be written. The chain then stays unchanged. */
  append(entry: object): void {
    const { now, maxBytes } = this.#settings;
    const time = new Date(now()).toISOString();
    const { line, head } = chainLine(this.head, entry, { key: this.#key, time });
    this.#refuseWhenMoved();
    if (this.#isRenamed || (this.#size > 0 && this.#size + line.length > maxBytes)) this.#rotate();
    this.#write(line);
    this.#firstSeq ??= head.seq;
    this.head = head;
    this.#headFile.write(head);
  }

  close(): void {
    closeSync(this.#descriptor);
    this.#headFile.close();
  }

  /** Refuses lines without their key or head: continuing after them would vouch for them. */
  #refuseUnknown(lines: readonly Buffer[]): void {
    const [first] = lines;
    // A server that crashed right after its first line has not stored a head yet.
    const isOurs =
      first === undefined ||
      (lines.length === 1 && typeof followChain(first, noHead, this.#key) === 'object');
    if (isOurs && rotatedFiles(this.#settings.path).length === 0) return;
    throw new Error(
      'its key or head is not in the state folder. Restore CLAUDE_CODE_MCP_STATE_DIR, or move the old files away.',
    );
  }

  /** A file that was deleted or moved still accepts lines, but nobody would ever read them. */
  #refuseWhenMoved(): void {
    if (this.#isRenamed) return;
    // On Windows these numbers need all 64 bits.
    const ours = fstatSync(this.#descriptor, { bigint: true });
    const there = lstatSync(this.#settings.path, { bigint: true, throwIfNoEntry: false });
    if (there?.ino !== ours.ino || there.dev !== ours.dev)
      throw new Error('it was moved or deleted. Put it back, or restart the server.');
  }

  #write(line: Buffer): void {
    try {
      let written = 0;
      while (written < line.length) written += writeSync(this.#descriptor, line, written);
      this.#size += line.length;
    } catch (error) {
      // Half a line would look like tampering.
      ftruncateSync(this.#descriptor, this.#size);
      throw error;
    }
  }

  #rotate(): void {
    const { path } = this.#settings;
    if (!this.#isRenamed) {
      const rotated = rotatedPath(path, this.#firstSeq ?? this.head.seq);
      if (existsSync(rotated)) throw new Error(`${rotated} already exists. Move it away.`);
      renameSync(path, rotated);
      this.#isRenamed = true;
    }
    const next = openLog(path);
    closeSync(this.#descriptor);
    this.#descriptor = next;
    this.#isRenamed = false;
    this.#size = 0;
    this.#firstSeq = undefined;
  }
}

/** All files of a lane, oldest first. */
export function filesOf(path: string): string[] {
  return [...rotatedFiles(path), path].filter((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    // A named pipe would block the reader. A folder makes it fail, as it should: nothing can be said about its lines.
    return found?.isFile() === true || found?.isDirectory() === true;
  });
}

/** Named after the number of its first line, so that the name never changes again. */
function rotatedPath(path: string, firstSeq: number): string {
  return `${path}.${String(firstSeq).padStart(12, '0')}`;
}

function rotatedFiles(path: string): string[] {
  const name = basename(path);
  return readdirSync(dirname(path))
    .filter((file) => file.startsWith(`${name}.`) && /^\d{12}$/.test(file.slice(name.length + 1)))
    .toSorted()
    .map((file) => join(dirname(path), file));
}

function openLog(path: string): number {
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  try {
    const { descriptor } = openPrivateFile(path, O_APPEND | O_CREAT | O_RDWR);
    if (process.platform !== 'win32') fchmodSync(descriptor, 0o600);
    return descriptor;
  } catch (error) {
    throw error instanceof NotPrivateError ? new Error(problems[error.problem], { cause: error }) : error;
  }
}

/** The head may lag behind the lines, because a server may exit before it stores the last one. */
function headAfter(lines: readonly Buffer[], knownHead: ChainHead, key: Buffer): ChainHead {
  return lines.reduce((head, line) => {
    const next = followChain(line, head, key);
    return typeof next === 'object' ? next : head;
  }, knownHead);
}
