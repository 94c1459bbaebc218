import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessTable } from '../../core/processes.js';

/** What a launch needs beside its arguments, in a folder that nobody else can read: arguments are seen by every user. */
export class LaunchFiles {
  readonly #folder: string;

  /** `parent` must lie where no session may look unasked. */
  constructor(parent: string) {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    // Made by the system with mode 0700.
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

/** Removes what servers have left that were killed. A pid that is somebody else's by now only puts it off. */
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
