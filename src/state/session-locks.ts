import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Decide, LockRequests } from './lock-requests.js';
import { pidOf, type Servers } from './server-mark.js';

export interface LockHolder {
  /** The process id of the server that has the session open. */
  readonly pid: number;
}

export interface SessionLock {
  /** Idempotent. */
  release(): Promise<void>;
}

/** One writer per session, across all servers that share a state folder. */
export interface SessionLocks {
  /** Returns the lock, or its current holder without waiting. */
  take(claudeSessionId: string): Promise<SessionLock | LockHolder>;
  holderOf(claudeSessionId: string): Promise<LockHolder | undefined>;
  /**
   * Asks the server that holds a lock to release it if it does not need it. Resolves when it has decided, or does not
   * answer. False if there is nobody to ask.
   */
  ask(claudeSessionId: string): Promise<boolean>;
  /** How this server decides when another one asks. */
  onAsked(decide: Decide): void;
}

export interface LockSettings {
  readonly folder: string;
  readonly servers: Servers;
  /** Undefined for locks that are never given up. */
  readonly requests?: LockRequests | undefined;
}

/** A few rounds suffice: each failed round means that another contender has made progress. */
const maxRounds = 100;

/**
 * A lock is a folder with one file in it, whose name identifies the holder. Both ways to take it are one atomic rename
 * that only one contender can win. If the folder does not exist, a prepared folder with our name is moved into place;
 * if its holder is dead, the file is renamed to our name. A lock file that is deleted and recreated would have a moment
 * in which two contenders can win.
 */
export class FolderLocks implements SessionLocks {
  readonly #settings: LockSettings;
  #hasSwept = false;

  constructor(settings: LockSettings) {
    this.#settings = settings;
  }

  async take(claudeSessionId: string): Promise<SessionLock | LockHolder> {
    const path = this.#path(claudeSessionId);
    const name = await this.#newName();
    void this.#sweepOnce().catch(() => undefined);
    for (let round = 0; round < maxRounds; round += 1) {
      const held = await nameIn(path);
      const holder = await this.#livingHolder(held);
      if (holder !== undefined) return holder;
      const isOurs =
        held === undefined
          ? await this.#moveIn(path, name)
          : await succeeds(rename(join(path, held), join(path, name)));
      if (isOurs) return this.#taken(claudeSessionId, name);
    }
    throw new Error(`the lock ${path} could not be acquired`);
  }

  async holderOf(claudeSessionId: string): Promise<LockHolder | undefined> {
    return this.#livingHolder(await nameIn(this.#path(claudeSessionId)));
  }

  async ask(claudeSessionId: string): Promise<boolean> {
    const { requests, servers } = this.#settings;
    const name = await nameIn(this.#path(claudeSessionId));
    if (requests === undefined || name === undefined || markIn(name) === (await servers.own())) return false;
    // If the request cannot be written, the lock stays where it is.
    return requests.ask(claudeSessionId).then(
      () => true,
      () => false,
    );
  }

  onAsked(decide: Decide): void {
    this.#settings.requests?.onAsked(decide);
  }

  async #taken(claudeSessionId: string, name: string): Promise<SessionLock> {
    const { requests } = this.#settings;
    await requests?.noteHeld(claudeSessionId);
    return {
      release: async () => {
        requests?.noteReleased(claudeSessionId);
        await leave(this.#path(claudeSessionId), name);
      },
    };
  }

  /** True if the folder is now ours; false if it already exists. */
  async #moveIn(path: string, name: string): Promise<boolean> {
    const { folder } = this.#settings;
    const own = join(folder, `.${name}`);
    await mkdir(own, { recursive: true, mode: 0o700 });
    try {
      await writeFile(join(own, name), '', { mode: 0o600 });
      if (await succeeds(rename(own, path))) return true;
      // A holder that releases the lock leaves an empty folder. Where a rename cannot replace it, it must be removed
      // first.
      await succeeds(rmdir(path));
      return false;
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }

  async #livingHolder(name: string | undefined): Promise<LockHolder | undefined> {
    if (name === undefined) return undefined;
    const mark = markIn(name);
    return (await this.#settings.servers.isAlive(mark)) ? { pid: pidOf(mark) } : undefined;
  }

  /** The random part distinguishes the locks of one server. */
  async #newName(): Promise<string> {
    return `${await this.#settings.servers.own()}.${randomBytes(6).toString('hex')}`;
  }

  /** Removes the locks of killed servers, by exact name, so that nothing of a live server is touched. */
  async #sweepOnce(): Promise<void> {
    if (this.#hasSwept) return;
    this.#hasSwept = true;
    const { folder } = this.#settings;
    for (const entry of await readdir(folder)) {
      const path = join(folder, entry);
      const name = entry.startsWith('.') ? entry.slice(1) : await nameIn(path);
      if (name === undefined || !isName(name) || (await this.#livingHolder(name)) !== undefined) continue;
      await leave(path, name);
    }
  }

  #path(claudeSessionId: string): string {
    return join(this.#settings.folder, claudeSessionId);
  }
}

export function isHolder(taken: SessionLock | LockHolder): taken is LockHolder {
  return 'pid' in taken;
}

/** The server in the name of a holder. */
function markIn(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

function isName(text: string): boolean {
  return /^[1-9]\d*\.[0-9a-f]{16}\.[0-9a-f]{12}$/.test(text);
}

/** Returns the holder's name in a lock folder; undefined if nobody holds it. */
async function nameIn(path: string): Promise<string | undefined> {
  const names = await readdir(path).catch(() => []);
  return names.find(isName);
}

/** Removes only our own name: a new holder has another name. */
async function leave(path: string, name: string): Promise<void> {
  await succeeds(unlink(join(path, name)));
  await succeeds(rmdir(path));
}

async function succeeds(change: Promise<void>): Promise<boolean> {
  return change.then(
    () => true,
    () => false,
  );
}
