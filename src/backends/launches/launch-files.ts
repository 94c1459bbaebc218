import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemUser } from '../../core/processes.js';
import { moveFileSync } from '../../files/move-file.js';
import { makeFolder } from '../../files/own-file.js';

/** The files of one launch in a private folder: those that Claude Code reads, because every user can see arguments. */
export class LaunchFiles {
  readonly #folder: string;
  readonly #reader: SystemUser | undefined;

  /** `parent` must be a folder that no session can read without approval. Another user can read, but never replace. */
  constructor(parent: string, reader?: SystemUser) {
    makeFolder(parent);
    // mkdtemp creates it with mode 0700.
    this.#folder = mkdtempSync(join(parent, `${process.pid}.`));
    this.#reader = reader;
    if (reader !== undefined) chmodSync(this.#folder, 0o711);
  }

  /** Returns the path. */
  write(name: string, content: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
    // Only this server can replace the file in between, because the folder remains its own.
    if (this.#reader !== undefined) chownSync(path, this.#reader.uid, this.#reader.gid);
    return path;
  }

  /**
   * Creates an empty folder; returns its path. It stays empty: another user can only enter it. This server removes it, and
   * would follow links that the user of the session puts in place of the folders in it.
   */
  createFolder(name: string): string {
    const path = join(this.#folder, name);
    mkdirSync(path, { mode: 0o700 });
    if (this.#reader !== undefined) chmodSync(path, 0o755);
    return path;
  }

  /** A reader finds the old content or the new one. */
  replace(name: string, content: string): void {
    const temporary = `${name}.tmp`;
    // A full disk leaves it.
    rmSync(join(this.#folder, temporary), { force: true });
    moveFileSync(this.write(temporary, content), join(this.#folder, name));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The pid of the server whose launch has this folder. */
export function serverPidOf(folderName: string): number | undefined {
  const [, pid] = /^([1-9]\d*)\.\w{6}$/.exec(folderName) ?? [];
  return pid === undefined ? undefined : Number(pid);
}
