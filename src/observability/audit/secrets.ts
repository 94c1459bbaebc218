import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { formatHead, parseHead, type ChainHead } from './chain.js';
import { createOnce } from '../../files/create-once.js';

/** The key of the audit log and the head of each chain. Stored apart from the log to make it tamper-evident. */
export class AuditSecrets {
  readonly #folder: string;

  constructor(stateDir: string) {
    this.#folder = join(stateDir, 'audit');
  }

  /** Creates the key if none exists. */
  ensureKey(): Buffer {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
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
    this.#descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  write(head: ChainHead): void {
    writeSync(this.#descriptor, `${formatHead(head)}\n`, 0);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
