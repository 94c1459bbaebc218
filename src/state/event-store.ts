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
/** More are not kept in memory while the disk is full. */
const maxWaiting = 2_000;

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
  readonly #waiting = new Map<string, SessionEvent[]>();
  #stopTimer: (() => void) | undefined;
  #work: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(settings: EventStoreSettings) {
    this.#settings = settings;
  }

  /** Called for every event, so it only takes it in; `flush` writes it. */
  keep(sessionId: string, event: SessionEvent): void {
    const waiting = this.#waiting.get(sessionId);
    if (waiting === undefined) this.#waiting.set(sessionId, [event]);
    else if (waiting.length < maxWaiting) waiting.push(event);
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
    for (const [sessionId, events] of this.#waiting) {
      this.#waiting.delete(sessionId);
      try {
        await this.#append(sessionId, events);
        this.#hasFailed = false;
      } catch (error) {
        this.#waiting.set(sessionId, [...events, ...(this.#waiting.get(sessionId) ?? [])].slice(-maxWaiting));
        const reason = messageOf(error);
        if (!this.#hasFailed) this.#settings.logger.log('error', 'events could not be saved', { reason });
        this.#hasFailed = true;
        return;
      }
    }
  }

  async #append(sessionId: string, events: readonly SessionEvent[]): Promise<void> {
    const path = this.#path(sessionId);
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
