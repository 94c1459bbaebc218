import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../core/clock.js';
import { messageOf } from '../core/errors.js';
import { parseJson } from '../core/json.js';
import type { Logger } from '../core/observability/logger.js';
import type { SessionEvent } from '../core/session/events.js';
import { EventFile } from './event-file.js';
import { readLines } from './journal/journal-file.js';

export interface EventStoreSettings {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Of each session, between one and two files of this size are kept. */
const fileBytes = 512 * 1024;
/** Further files are closed between their writes. */
const maxOpen = 64;
/** Events that no caller has seen yet may be written this late. */
const delayMs = 200;

/** Where the events of a session are until they are written. It may drop the oldest, which no caller can read then. */
export interface EventSource {
  read(cursor: number): { readonly events: readonly SessionEvent[] };
}

interface Waiting {
  readonly source: EventSource;
  /** The last event that is written. */
  readonly after: number;
}

/** Events come from this server, so only what places them is checked. */
const eventSchema = z.looseObject({
  type: z.string(),
  seq: z.int().min(1),
  at: z.number(),
  turn: z.int().min(0),
});

/** The newest events of sessions, so that the next server can show them under the same numbers. */
export class EventStore {
  readonly #settings: EventStoreSettings;
  readonly #waiting = new Map<string, Waiting>();
  /** Files that are open, the least recently written first. */
  readonly #files = new Map<string, EventFile>();
  /** The last write of each session, running or queued. */
  readonly #writes = new Map<string, Promise<void>>();
  /** Sessions whose next write has not begun. */
  readonly #queued = new Set<string>();
  /** Sessions whose last write failed. */
  readonly #failed = new Set<string>();
  #stopTimer: (() => void) | undefined;

  constructor(settings: EventStoreSettings) {
    this.#settings = settings;
  }

  /** Notes an event that `source` has. Called for every event, so it only takes a note; `flush` writes it. */
  keep(sessionId: string, source: EventSource, seq: number): void {
    if (!this.#waiting.has(sessionId)) this.#waiting.set(sessionId, { source, after: seq - 1 });
    this.#stopTimer ??= this.#settings.clock.after(delayMs, () => void this.flush());
  }

  /**
   * Resolves when the events so far, of all sessions or of one, are written or could not be. Every answer waits for
   * this. So sessions are written side by side, and answers that wait while a session is written share its next write.
   */
  async flush(only?: string): Promise<void> {
    if (only !== undefined) {
      if (this.#waiting.has(only)) this.#queue(only);
      return this.#writes.get(only);
    }
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    for (const sessionId of this.#waiting.keys()) this.#queue(sessionId);
    await Promise.all(this.#writes.values());
  }

  /** Writes everything, and closes all files. */
  async close(): Promise<void> {
    await this.flush();
    await Promise.all([...this.#files.keys()].map((sessionId) => this.#closeFile(sessionId)));
  }

  /** The newest events of a session, oldest first. */
  async read(sessionId: string): Promise<SessionEvent[]> {
    await this.flush();
    const texts = await Promise.all(
      [this.#olderPath(sessionId), this.#path(sessionId)].map(async (path) => {
        const read = await readLines(path).catch(() => undefined);
        return read?.lines ?? [];
      }),
    );
    let last = 0;
    return texts.flat().flatMap((text) => {
      const parsed = eventSchema.safeParse(parseJson(text));
      if (!parsed.success || parsed.data.seq <= last) return [];
      last = parsed.data.seq;
      return [parsed.data as unknown as SessionEvent];
    });
  }

  async remove(sessionId: string): Promise<void> {
    this.#waiting.delete(sessionId);
    this.#failed.delete(sessionId);
    await this.flush();
    await this.#closeFile(sessionId);
    await rm(this.#path(sessionId), { force: true });
    await rm(this.#olderPath(sessionId), { force: true });
  }

  #queue(sessionId: string): void {
    if (this.#queued.has(sessionId)) return;
    this.#queued.add(sessionId);
    const earlier = this.#writes.get(sessionId) ?? Promise.resolve();
    const write = earlier.then(() => this.#write(sessionId));
    this.#writes.set(sessionId, write);
    void write.then(() => this.#writes.get(sessionId) === write && this.#writes.delete(sessionId));
  }

  async #write(sessionId: string): Promise<void> {
    this.#queued.delete(sessionId);
    const waiting = this.#waiting.get(sessionId);
    if (waiting === undefined) return;
    this.#waiting.delete(sessionId);
    try {
      await this.#append(sessionId, waiting);
      this.#failed.delete(sessionId);
    } catch (error) {
      this.#waiting.set(sessionId, waiting);
      if (this.#failed.size === 0)
        this.#settings.logger.log('error', 'events could not be saved', { reason: messageOf(error) });
      this.#failed.add(sessionId);
    }
  }

  async #append(sessionId: string, { source, after }: Waiting): Promise<void> {
    const { events } = source.read(after);
    if (events.length === 0) return;
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    await this.#fileOf(sessionId).append(text, fileBytes);
    await this.#closeLeastUsed();
  }

  #fileOf(sessionId: string): EventFile {
    const file =
      this.#files.get(sessionId) ?? new EventFile(this.#path(sessionId), this.#olderPath(sessionId));
    this.#files.delete(sessionId);
    this.#files.set(sessionId, file);
    return file;
  }

  async #closeLeastUsed(): Promise<void> {
    if (this.#files.size <= maxOpen) return;
    const idle = [...this.#files.keys()].find((sessionId) => !this.#writes.has(sessionId));
    if (idle !== undefined) await this.#closeFile(idle);
  }

  async #closeFile(sessionId: string): Promise<void> {
    const file = this.#files.get(sessionId);
    this.#files.delete(sessionId);
    await file?.close();
  }

  #path(sessionId: string): string {
    return join(this.#settings.stateDir, 'sessions', 'events', `${sessionId}.jsonl`);
  }

  #olderPath(sessionId: string): string {
    return join(this.#settings.stateDir, 'sessions', 'events', `${sessionId}.older.jsonl`);
  }
}
