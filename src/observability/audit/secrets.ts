import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { formatHead, parseHead, type ChainHead } from './chain.js';
import { createOnce } from '../../files/create-once.js';
import { makeFolder } from '../../files/own-file.js';
import { NotPrivateError, openPrivateFile } from '../../files/private-file.js';
import { isMissing } from '../../files/regular-file.js';

/** The key of the audit log and the head of each chain. Stored apart from the log to make it tamper-evident. */
export class AuditSecrets {
  readonly #folder: string;

  constructor(stateDir: string) {
    this.#folder = join(stateDir, 'audit');
  }

  /** Creates the key if none exists. */
  ensureKey(): Buffer {
    makeFolder(this.#folder);
    createOnce(this.#keyPath, `${randomBytes(32).toString('hex')}\n`);
    const key = this.readKey();
    if (key === undefined) throw new Error(`${this.#keyPath} is not a valid key. Restore it from a backup.`);
    return key;
  }

  readKey(): Buffer | undefined {
    const text = readIfThere(this.#keyPath)?.trim() ?? '';
    return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
  }

  readHead(logFile: string): ChainHead | undefined {
    const text = readIfThere(this.#headPath(logFile));
    return text === undefined ? undefined : parseHead(text);
  }

  openHead(logFile: string): HeadFile {
    return new HeadFile(this.#headPath(logFile));
  }

  get #keyPath(): string {
    return join(this.#folder, 'key');
  }

  #headPath(logFile: string): string {
    return join(this.#folder, `${createHash('sha256').update(logFile).digest('hex').slice(0, 16)}.head`);
  }
}

/** Fixed in length and written in place, so that it needs no space on a full disk. */
export class HeadFile {
  readonly #descriptor: number;

  constructor(path: string) {
    this.#descriptor = openPrivateFile(path, constants.O_RDWR | constants.O_CREAT).descriptor;
  }

  write(head: ChainHead): void {
    writeSync(this.#descriptor, `${formatHead(head)}\n`, 0);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function readIfThere(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    ({ descriptor } = openPrivateFile(path, constants.O_RDONLY));
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!(error instanceof NotPrivateError)) throw error;
    throw new Error(`${path} is not a file that only its owner can change. Restore it from a backup.`, {
      cause: error,
    });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
