import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a launch needs beside its arguments, in a folder that nobody else can read: arguments are seen by every user. */
export class LaunchFiles {
  readonly #folder: string;

  constructor(parent: string) {
    // Made by the system with mode 0700.
    this.#folder = mkdtempSync(join(parent, 'claude-code-mcp-'));
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
