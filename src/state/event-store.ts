import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../core/clock.js';
import { messageOf } from '../core/errors.js';
import { parseJson } from '../core/json.js';
import type { Logger } from '../core/observability/logger.js';
import type { SessionEvent } from '../core/session/events.js';
import { appendLines, readLines } from './journal/journal-file.js';

export interface EventStoreSettings {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Of each session, between one and two files of this size are kept. */
const fileBytes = 512 * 1024;
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
  #stopTimer: (() => void) | undefined;
  #work: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(settings: EventStoreSettings) {
    this.#settings = settings;
  }

  /** Notes an event that `source` has. Called for every event, so it only takes a note; `flush` writes it. */
  keep(sessionId: string, source: EventSource, seq: number): void {
    if (!this.#waiting.has(sessionId)) this.#waiting.set(sessionId, { source, after: seq - 1 });
    this.#stopTimer ??= this.#settings.clock.after(delayMs, () => void this.flush());
  }

  /** Resolves when all events so far are written, or could not be. */
  flush(): Promise<void> {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (this.#waiting.size > 0) this.#work = this.#work.then(() => this.#write());
    return this.#work;
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
    await this.flush();
    await rm(this.#path(sessionId), { force: true });
    await rm(this.#olderPath(sessionId), { force: true });
  }

  async #write(): Promise<void> {
    const batch = [...this.#waiting];
    this.#waiting.clear();
    const failures: unknown[] = [];
    for (const [sessionId, waiting] of batch)
      await this.#append(sessionId, waiting).catch((error: unknown) => {
        failures.push(error);
        this.#waiting.set(sessionId, waiting);
      });
    if (failures.length > 0 && !this.#hasFailed)
      this.#settings.logger.log('error', 'events could not be saved', { reason: messageOf(failures[0]) });
    this.#hasFailed = failures.length > 0;
  }

  async #append(sessionId: string, { source, after }: Waiting): Promise<void> {
    const path = this.#path(sessionId);
    const { events } = source.read(after);
    if (events.length === 0) return;
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    const { bytes } = await appendLines(path, text, { isDurable: false });
    if (bytes > fileBytes) await rename(path, this.#olderPath(sessionId));
  }

  #path(sessionId: string): string {
    return join(this.#settings.stateDir, 'sessions', 'events', `${sessionId}.jsonl`);
  }

  #olderPath(sessionId: string): string {
    return join(this.#settings.stateDir, 'sessions', 'events', `${sessionId}.older.jsonl`);
  }
}
