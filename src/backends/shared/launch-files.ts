import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessTable } from '../../core/processes.js';

/** Files that a launch passes to Claude Code in a private folder, because every user can see arguments. */
export class LaunchFiles {
  readonly #folder: string;

  /** `parent` must be a folder that no session can read without approval. */
  constructor(parent: string) {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    // mkdtemp creates it with mode 0700.
    this.#folder = mkdtempSync(join(parent, `${process.pid}.`));
  }

  /** Returns the path. */
  write(name: string, content: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
    return path;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Removes the files of servers that were killed. A reused pid only delays the removal. */
export async function sweepLaunches(
  parent: string,
  processes: Pick<ProcessTable, 'startTimeOf'>,
): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid] = /^([1-9]\d*)\.\w{6}$/.exec(name) ?? [];
    if (pid === undefined || (await processes.startTimeOf(Number(pid))) !== undefined) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}
