import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import { messageOf } from '../core/errors.js';
import { asList, asText } from '../core/json.js';
import type { Logger } from '../core/observability/logger.js';
import { replaceFile } from '../files/atomic-write.js';
import { openOwnFile } from '../files/own-file.js';
import { isMissing, readOpened } from '../files/regular-file.js';
import { dateOf } from './day-index.js';
import type { FirstFormat } from './first-format.js';
import { readInventory, storedFile, type Inventory, type StoredSession } from './inventory.js';
import { readJournal, type Fields } from './journal/session-journal.js';
import { openTurnOf } from './open-turn.js';
import type { Servers } from './server-mark.js';
import { isHolder, type SessionLock, type SessionLocks } from './session-locks.js';

export interface PruneLimits {
  /** 0 keeps sessions for ever. */
  readonly keepMs: number;
  /** 0 means no limit. */
  readonly maxBytes: number;
}

export interface PrunerSettings extends PruneLimits {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly servers: Servers;
  readonly locks: SessionLocks;
  readonly firstFormat: FirstFormat;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The daily budget counts what these have cost, so size is no reason to delete them. */
const recentMs = 2 * dayMs;
/** A run examines no more sessions than this. The next one continues. */
const maxExamined = 2_000;

/** Deletes old sessions from disk: once a day, for all servers that share the state folder. */
export class Pruner {
  readonly #settings: PrunerSettings;
  #dueAt = 0;
  #isStopped = false;
  #work: Promise<void> = Promise.resolve();
  #problem: string | undefined;

  constructor(settings: PrunerSettings) {
    this.#settings = settings;
  }

  /** Called often, and does nothing most of the time. Never rejects. */
  pruneIfDue(isInMemory: (sessionId: string) => boolean): Promise<void> {
    const now = this.#settings.clock.now();
    if (this.#isStopped || now < this.#dueAt) return this.#work;
    this.#dueAt = now + dayMs;
    this.#work = this.#work
      .then(() => this.#pruneOnceADay(now, isInMemory))
      // Without the folder there is nothing to delete.
      .catch((error: unknown) => (isMissing(error) ? undefined : this.#complain(error)));
    return this.#work;
  }

  /** Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#work;
  }

  async #pruneOnceADay(now: number, isInMemory: (sessionId: string) => boolean): Promise<void> {
    const mark = join(this.#settings.stateDir, 'pruned');
    const last = Number((await readOpened(openOwnFile(mark), 100)) ?? Number.NaN);
    if (last <= now && now < last + dayMs) {
      this.#dueAt = last + dayMs;
      return;
    }
    await replaceFile(mark, String(now));
    const inventory = await readInventory(this.#settings.stateDir);
    await this.#sweep(inventory, now);
    const run = new PruneRun(this.#settings, inventory, isInMemory, (error) => this.#complain(error));
    const { sessions, bytes, isComplete } = await run.prune(now, () => this.#isStopped);
    if (sessions > 0) this.#settings.logger.log('info', 'deleted old sessions', { sessions, bytes });
    if (isComplete || sessions === 0) return;
    this.#dueAt = now;
    await rm(mark, { force: true });
  }

  async #sweep({ temporary, days }: Inventory, now: number): Promise<void> {
    const { keepMs } = this.#settings;
    const left = temporary.filter(({ at }) => at < now - hourMs);
    const old = keepMs === 0 ? [] : days.filter(({ date }) => date < dateOf(now - keepMs));
    for (const { path } of [...left, ...old]) await rm(path, { force: true });
  }

  #complain(error: unknown): void {
    const reason = messageOf(error);
    if (reason !== this.#problem)
      this.#settings.logger.log('warn', 'old sessions could not be deleted', { reason });
    this.#problem = reason;
  }
}

interface Pruned {
  readonly sessions: number;
  readonly bytes: number;
  /** Nothing is left that should be deleted and could be. */
  readonly isComplete: boolean;
}

/** One pass over the sessions, oldest first. Sessions that share a budget are deleted together or not at all. */
class PruneRun {
  readonly #settings: PrunerSettings;
  readonly #inventory: Inventory;
  readonly #isInMemory: (sessionId: string) => boolean;
  readonly #onError: (error: unknown) => void;
  readonly #deleted = new Set<string>();
  /** The sessions that use a budget of version 0.1, by its id. */
  #oldForks: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  constructor(
    settings: PrunerSettings,
    inventory: Inventory,
    isInMemory: (sessionId: string) => boolean,
    onError: (error: unknown) => void,
  ) {
    this.#settings = settings;
    this.#inventory = inventory;
    this.#isInMemory = isInMemory;
    this.#onError = onError;
  }

  async prune(now: number, isStopped: () => boolean): Promise<Pruned> {
    const { keepMs, maxBytes } = this.#settings;
    const oldestFirst = [...this.#inventory.sessions.values()].toSorted((a, b) => a.at - b.at);
    let left = [...oldestFirst, ...this.#inventory.days].reduce((sum, { bytes }) => sum + bytes, 0);
    const before = left;
    let examined = 0;
    const done = (isComplete: boolean): Pruned => ({
      sessions: this.#deleted.size,
      bytes: before - left,
      isComplete,
    });
    for (const session of oldestFirst) {
      const isOld = keepMs > 0 && session.at < now - keepMs;
      const isTooMuch = maxBytes > 0 && left > maxBytes && session.at < now - recentMs;
      if (!isOld && !isTooMuch) return done(true);
      if (isStopped() || examined === maxExamined) return done(false);
      examined += 1;
      if (!this.#deleted.has(session.id)) left -= await this.#deleteWithForks(session).catch(this.#kept);
    }
    return done(true);
  }

  /** Returns the number of bytes that it has freed. */
  async #deleteWithForks(session: StoredSession): Promise<number> {
    const group = await this.#groupOf(session);
    // The youngest decides for all of them, and comes later.
    if (group.some(({ at }) => at > session.at)) return 0;
    const locks: SessionLock[] = [];
    try {
      for (const member of group) {
        const lock = await this.#lockIfUnused(member);
        if (lock === undefined) return 0;
        locks.push(lock);
      }
      for (const { id, files } of group) {
        for (const { path } of files) await rm(path, { force: true });
        this.#deleted.add(id);
      }
      return group.reduce((sum, { bytes }) => sum + bytes, 0);
    } finally {
      await Promise.all(locks.map((lock) => lock.release()));
    }
  }

  /** All sessions that share its budget. */
  async #groupOf(session: StoredSession): Promise<StoredSession[]> {
    const { sessions } = this.#inventory;
    const root = asText((await this.#fieldsOf(session.id))['potId']) ?? session.id;
    const forks = asList((await this.#fieldsOf(root))['forks']).filter((id) => typeof id === 'string');
    const oldForks =
      sessions.get(root)?.hasOldBudget === true ? ((await this.#findOldForks()).get(root) ?? []) : [];
    return [...new Set([session.id, root, ...forks, ...oldForks])].flatMap((id) => sessions.get(id) ?? []);
  }

  /** Undefined if someone uses the session, or has written to it since. */
  async #lockIfUnused({ id, files }: StoredSession): Promise<SessionLock | undefined> {
    const { servers, locks } = this.#settings;
    if (this.#isInMemory(id)) return undefined;
    const fields = await this.#fieldsOf(id);
    const { owner } = await openTurnOf(fields, servers);
    if (owner === 'here' || owner === 'elsewhere') return undefined;
    const lock = await locks.take(asText(fields['claudeSessionId']) ?? id);
    if (isHolder(lock)) return undefined;
    for (const { path, at } of files) {
      if (((await storedFile(path))?.at ?? at) === at) continue;
      await lock.release();
      return undefined;
    }
    return lock;
  }

  #findOldForks(): Promise<ReadonlyMap<string, readonly string[]>> {
    this.#oldForks ??= (async () => {
      const forks = new Map<string, string[]>();
      for (const id of this.#inventory.sessions.keys()) {
        const root = asText((await this.#fieldsOf(id))['potId']);
        if (root !== undefined && root !== id) forks.set(root, [...(forks.get(root) ?? []), id]);
      }
      return forks;
    })();
    return this.#oldForks;
  }

  /** Throws for a file that may say more than this version understands. */
  async #fieldsOf(id: string): Promise<Fields> {
    const { stateDir, firstFormat } = this.#settings;
    const journal = await readJournal(join(stateDir, 'sessions', `${id}.jsonl`));
    return journal?.folded.fields ?? (await firstFormat.readRecord(id)) ?? {};
  }

  readonly #kept = (error: unknown): number => {
    this.#onError(error);
    return 0;
  };
}
