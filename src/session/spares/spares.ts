import type { Backend, Launch } from '../../core/claude/backend.js';
import type { Clock } from '../../core/clock.js';
import { messageOf } from '../../core/errors.js';
import type { IdSource } from '../../core/ids.js';
import type { Logger } from '../../core/observability/logger.js';
import type { EffectiveOptions, RequestedOptions } from '../../core/options/index.js';
import { within } from '../services/within.js';
import { permitMs, type Permits } from '../services/permits.js';
import type { SparePool } from '../services/spare-pool.js';
import type { Slot, Slots } from '../services/slots.js';
import { isRepeatable, patternOf } from './pattern.js';
import { Spare } from './spare.js';

export interface SpareSettings {
  /** How many processes wait at most. */
  readonly count: number;
  /** A process that waits longer than this is ended. */
  readonly idleMs: number;
  readonly backend: Backend;
  readonly slots: Slots;
  readonly permits: Permits;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Identifies the configuration that a process reads before its session is known. */
  readonly readMark: () => Promise<string>;
}

/** A session that has taken the id of a spare uses it at once, or not at all. */
const promiseMs = 10_000;
/** Claude Code needs a tenth of a second, and much longer on a busy machine. */
const claimMs = 4_000;
/** Until then, a session that has just begun would share the CPU with the start of a spare. */
const settleMs = 300;
/** After this many failures in a row there are no more spares of that kind. */
const maxFailures = 2;
const maxPatterns = 100;
const maxPlain = 1_000;

type Stage = 'starting' | 'waiting' | 'promised' | 'ended';

interface Place {
  readonly spare: Spare;
  readonly slot: Slot;
  stage: Stage;
  stopTimer: () => void;
}

/** Processes that wait for the next sessions. Each serves only a session that would start exactly as it has. */
export class Spares implements SparePool {
  readonly #settings: SpareSettings;
  /** By the id of the session that each will have, oldest first. */
  readonly #places = new Map<string, Place>();
  /** New sessions whose callers chose no options. */
  readonly #plain = new Set<string>();
  /** Spares that are being ended, by their ids. */
  readonly #ending = new Map<string, Promise<void>>();
  /** How the latest session without options of its own was started. */
  #latest: Launch | undefined;
  #isFilling = false;
  #stopSettling: () => void = () => undefined;
  /** Spares in a row that did not start, or that Claude Code did not let serve a session, by their pattern. */
  readonly #failures = new Map<string, number>();
  #isClosed = false;

  constructor(settings: SpareSettings) {
    this.#settings = settings;
  }

  idFor(options: EffectiveOptions, requested: RequestedOptions): string {
    const id = this.#promise(options) ?? this.#settings.ids.uuid();
    if (this.#plain.size >= maxPlain) this.#plain.clear();
    if (isPlain(requested)) this.#plain.add(id);
    return id;
  }

  /** The spare that has the id of this launch, in the folder of its session. Undefined if it must start instead. */
  async claim(launch: Launch): Promise<Spare | undefined> {
    const id = launch.claudeSessionId;
    const place = this.#places.get(id);
    // Two processes must not have the same id.
    if (place === undefined) return this.#ending.get(id)?.then(() => undefined);
    place.stopTimer();
    try {
      await this.#take(place.spare, launch);
      this.#failures.delete(patternOf(launch));
      this.#remove(place);
      return place.spare;
    } catch (error) {
      this.#settings.logger.log('debug', 'a spare process does not fit its session', {
        reason: messageOf(error),
      });
      await this.#end(place);
      return undefined;
    }
  }

  follow(launch: Launch): void {
    if (!this.#plain.delete(launch.claudeSessionId) || !isRepeatable(launch)) return;
    this.#latest = launch;
    if (this.#isFilling) return;
    this.#isFilling = true;
    this.#stopSettling = this.#settings.clock.after(settleMs, () => void this.#fill());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopSettling();
    await Promise.allSettled([...this.#places.values()].map((place) => this.#end(place)));
    await Promise.allSettled(this.#ending.values());
  }

  /** From now on, the spare waits for the session with its id only. */
  #promise(options: EffectiveOptions): string | undefined {
    const wanted = JSON.stringify(options);
    const place = [...this.#places.values()].find(
      ({ stage, spare }) => stage === 'waiting' && JSON.stringify(spare.launch.options) === wanted,
    );
    if (place === undefined) return undefined;
    place.stage = 'promised';
    this.#endAfter(place, promiseMs);
    return place.spare.id;
  }

  async #take(spare: Spare, launch: Launch): Promise<void> {
    if (patternOf(spare.launch) !== patternOf(launch)) throw new Error('the session starts differently');
    if ((await this.#settings.readMark()) !== spare.mark) throw new Error('the configuration has changed');
    try {
      await within(claimMs, this.#settings.clock, spare.claim());
    } catch (error) {
      this.#noteFailure(launch);
      throw error;
    }
  }

  async #fill(): Promise<void> {
    const { permits, clock, logger } = this.#settings;
    while (this.#wanted() !== undefined) {
      const release = await permits.acquire();
      const stopTimer = clock.after(permitMs, release);
      try {
        await this.#startOne();
      } catch (error) {
        this.#noteFailure(this.#latest);
        logger.log('warn', 'a spare process could not be started', { reason: messageOf(error) });
      } finally {
        stopTimer();
        release();
      }
    }
    this.#isFilling = false;
  }

  /** How another spare should start; undefined if there is no place for it. */
  #wanted(): Launch | undefined {
    const { count, slots } = this.#settings;
    const latest = this.#latest;
    if (latest === undefined || this.#isClosed || slots.isClosed) return undefined;
    if ((this.#failures.get(patternOf(latest)) ?? 0) >= maxFailures) return undefined;
    const isFull = this.#places.size >= count;
    return (isFull ? this.#findOutdated(latest) !== undefined : slots.hasRoom) ? latest : undefined;
  }

  /** The oldest spare, if none of them fits the latest session. */
  #findOutdated(latest: Launch): Place | undefined {
    const places = [...this.#places.values()];
    const pattern = patternOf(latest);
    if (places.some(({ spare }) => patternOf(spare.launch) === pattern)) return undefined;
    return places.find(({ stage }) => stage === 'waiting');
  }

  async #startOne(): Promise<void> {
    const { backend, slots, clock, ids, logger, idleMs, readMark } = this.#settings;
    // Read before the start, so that no change during the start is missed.
    const mark = await readMark();
    const latest = this.#wanted();
    if (latest === undefined) return;
    const outdated = this.#findOutdated(latest);
    if (this.#places.size >= this.#settings.count) {
      if (outdated !== undefined) await this.#end(outdated);
      return;
    }
    const launch = { ...latest, claudeSessionId: ids.uuid() };
    const spare: Spare = new Spare(
      backend,
      { launch, mark },
      { onEvict: () => this.#end(place), onGone: () => this.#remove(place) },
    );
    const place: Place = {
      spare,
      slot: slots.reserve(spare),
      stage: 'starting',
      stopTimer: () => undefined,
    };
    this.#places.set(spare.id, place);
    try {
      await within(launch.options.sessionInitTimeoutMs, clock, spare.parked);
      place.stage = 'waiting';
      this.#endAfter(place, idleMs);
      logger.log('debug', 'a spare process waits for a session', { sessionId: spare.id });
    } catch (error) {
      // The server itself may have ended it.
      const isFailure = place.stage === 'starting';
      await this.#end(place);
      if (isFailure) throw error;
    }
  }

  #noteFailure(launch: Launch | undefined): void {
    if (launch === undefined) return;
    if (this.#failures.size >= maxPatterns) this.#failures.clear();
    const pattern = patternOf(launch);
    this.#failures.set(pattern, (this.#failures.get(pattern) ?? 0) + 1);
  }

  #endAfter(place: Place, ms: number): void {
    place.stopTimer();
    place.stopTimer = this.#settings.clock.after(ms, () => void this.#end(place));
  }

  /** Resolves when it has exited. */
  #end(place: Place): Promise<void> {
    const { spare } = place;
    const known = this.#ending.get(spare.id);
    if (known !== undefined) return known;
    place.stage = 'ended';
    const ended = spare.stop().finally(() => {
      this.#remove(place);
      this.#ending.delete(spare.id);
    });
    this.#ending.set(spare.id, ended);
    this.#places.delete(spare.id);
    place.stopTimer();
    return ended;
  }

  /** Its slot belongs to its session by now, or is free. */
  #remove({ spare, slot, stopTimer }: Place): void {
    stopTimer();
    this.#places.delete(spare.id);
    this.#settings.slots.release(slot);
  }
}

/** Every session has a folder. */
function isPlain({ cwd: _folder, ...options }: RequestedOptions): boolean {
  return Object.values(options).every((value) => value === undefined);
}
