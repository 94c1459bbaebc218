import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import { watchFolder } from './folder-watch.js';

export interface LockRequestSettings {
  /** The folder of the locks. */
  readonly folder: string;
  readonly clock: Clock;
}

/** Decides about a lock that another server asks for. Resolves once it is released, or will not be. */
export type Decide = (claudeSessionId: string) => Promise<void>;

/** Ending an idle process takes less. */
const patienceMs = 3_000;
const suffix = '.wanted';

/** How one server asks another for a lock: with a file beside the lock, which the holder removes when it has decided. */
export class LockRequests {
  readonly #settings: LockRequestSettings;
  readonly #held = new Set<string>();
  readonly #deciding = new Set<string>();
  #decide: Decide | undefined;
  #stopWatching: (() => void) | undefined;

  constructor(settings: LockRequestSettings) {
    this.#settings = settings;
  }

  onAsked(decide: Decide): void {
    this.#decide = decide;
    this.#watchIfNeeded();
  }

  /** Asks for a lock. Resolves when its holder has decided, or does not answer. */
  async ask(claudeSessionId: string): Promise<void> {
    const { folder, clock } = this.#settings;
    await writeFile(this.#path(claudeSessionId), '', { mode: 0o600 });
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        stopTimer();
        stopWatching();
        resolve();
      };
      const look = async (): Promise<void> => {
        if (!(await this.#wanted()).includes(claudeSessionId)) finish();
      };
      const stopTimer = clock.after(patienceMs, finish);
      const stopWatching = watchFolder(folder, clock, () => void look());
      void look();
    });
    await this.#remove(claudeSessionId);
  }

  /** This server has the lock now. A request that is still there was for an earlier holder. */
  async noteHeld(claudeSessionId: string): Promise<void> {
    await this.#remove(claudeSessionId);
    this.#held.add(claudeSessionId);
    this.#watchIfNeeded();
  }

  noteReleased(claudeSessionId: string): void {
    this.#held.delete(claudeSessionId);
    this.#watchIfNeeded();
  }

  /** Without a lock there is nothing to give up. */
  #watchIfNeeded(): void {
    const isNeeded = this.#held.size > 0 && this.#decide !== undefined;
    if (isNeeded) {
      const { folder, clock } = this.#settings;
      this.#stopWatching ??= watchFolder(folder, clock, () => void this.#look());
    } else {
      this.#stopWatching?.();
      this.#stopWatching = undefined;
    }
  }

  async #look(): Promise<void> {
    for (const id of await this.#wanted())
      if (this.#held.has(id) && !this.#deciding.has(id)) void this.#answer(id);
  }

  async #answer(id: string): Promise<void> {
    this.#deciding.add(id);
    try {
      await this.#decide?.(id);
    } finally {
      await this.#remove(id);
      this.#deciding.delete(id);
    }
  }

  async #wanted(): Promise<readonly string[]> {
    const names = await readdir(this.#settings.folder).catch(() => []);
    return names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
  }

  async #remove(claudeSessionId: string): Promise<void> {
    await rm(this.#path(claudeSessionId), { force: true }).catch(() => undefined);
  }

  #path(claudeSessionId: string): string {
    return join(this.#settings.folder, `${claudeSessionId}${suffix}`);
  }
}
