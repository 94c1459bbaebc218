import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.js';
import { AppError } from '../../core/errors.js';
import { asText, ownValue } from '../../core/json.js';
import { dateOf, lastDates, type DayIndex } from '../day-index.js';
import type { FirstFormat, UsageLine } from '../first-format.js';
import type { SpentAt } from '../journal/fold.js';
import type { ReadLines } from '../journal/journal-file.js';
import { readJournal, type ReadJournal } from '../journal/session-journal.js';
import { Reservations } from './reservations.js';
import { openTurnOf } from '../open-turn.js';
import type { Servers } from '../server-mark.js';
import { isoTime } from '../../core/text/iso-time.js';

export type { UsageLine };

export interface LedgerSettings {
  readonly stateDir: string;
  readonly maxUsdPerDay: number | undefined;
  readonly clock: Clock;
  readonly servers: Servers;
  readonly days: DayIndex;
  readonly firstFormat: FirstFormat;
  /** The costs of this server that are not in the journals. */
  readonly own: {
    /** Waits until they are on disk or could not be written. */
    flush(): Promise<void>;
    readonly unwritten: readonly SpentAt[];
  };
}

export interface DaySpending {
  readonly spentUsd: number;
  readonly limitUsd: number;
}

/** What all sessions of one user cost: the sum over the journals of those that worked on a day. */
export class UsageLedger {
  readonly reservations = new Reservations();
  readonly #settings: LedgerSettings;
  #date = '';
  #names: ReadLines | undefined;
  #journals = new Map<string, ReadJournal | undefined>();
  /** Read from disk. */
  #readUsd = 0;
  /** Added here since then. */
  #addedUsd = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(settings: LedgerSettings) {
    this.#settings = settings;
  }

  /** As of the last `refresh`, plus what was added here since. */
  leftUsd(): number | undefined {
    const { maxUsdPerDay } = this.#settings;
    this.#beginDay();
    if (maxUsdPerDay === undefined) return undefined;
    // A sum of fractions can be a little too small, and what seems left would start another turn.
    return Math.round((maxUsdPerDay - this.#readUsd - this.#addedUsd) * 1e8) / 1e8;
  }

  /** As of the last `refresh`. Undefined if there is no limit. */
  today(): DaySpending | undefined {
    const { maxUsdPerDay: limitUsd } = this.#settings;
    const leftUsd = this.leftUsd();
    if (limitUsd === undefined || leftUsd === undefined) return undefined;
    return { spentUsd: Math.round((limitUsd - leftUsd) * 1e8) / 1e8, limitUsd };
  }

  /** Throws if nothing is left of what may be spent today. */
  async refuseWhenSpent(): Promise<void> {
    await this.refresh();
    if ((this.leftUsd() ?? 1) <= 0) throw new AppError('day_budget_spent');
  }

  /** Counts a cost at once. Its session's journal takes it to disk. */
  add(usd: number): void {
    this.#beginDay();
    this.#addedUsd += usd;
  }

  /** Reads what sessions of other servers have spent and reserved. */
  refresh(): Promise<void> {
    if (this.#settings.maxUsdPerDay === undefined) return Promise.resolve();
    this.#work = this.#work.catch(() => undefined).then(() => this.#refresh());
    return this.#work;
  }

  async #refresh(): Promise<void> {
    const { firstFormat, own } = this.#settings;
    const date = this.#beginDay();
    const added = this.#addedUsd;
    await own.flush();
    await this.#readOn(date);
    const sums = await Promise.all([...this.#journals].map(([name, one]) => this.#sumOf(name, one, date)));
    const old = await firstFormat.usageOf(date);
    if (date !== this.#date) return;
    this.#readUsd = sums.reduce((sum, usd) => sum + usd, 0) + usdOf(old) + usdOf(on(date, own.unwritten));
    this.#addedUsd -= added;
  }

  /** Yields the costs of the last days including today, oldest day first. */
  async *lines(days: number): AsyncGenerator<UsageLine> {
    const { clock, own, firstFormat, days: index } = this.#settings;
    await own.flush();
    for (const date of lastDates(days, clock.now())) {
      yield* await firstFormat.usageOf(date);
      const names = new Set((await index.namesOf(date))?.lines);
      for (const name of names) yield* await this.#linesOf(name, date);
    }
  }

  /** Every day starts over. */
  #beginDay(): string {
    const date = dateOf(this.#settings.clock.now());
    if (date === this.#date) return date;
    this.#date = date;
    this.#names = undefined;
    this.#journals = new Map();
    this.#readUsd = 0;
    this.#addedUsd = 0;
    return date;
  }

  async #readOn(date: string): Promise<void> {
    this.#names = (await this.#settings.days.namesOf(date, this.#names)) ?? this.#names;
    const names = new Set([...this.#journals.keys(), ...(this.#names?.lines ?? [])]);
    for (const name of names) {
      const known = this.#journals.get(name);
      if (known !== undefined && isUnchanged(this.#path(name), known.read)) continue;
      const journal = await readJournal(this.#path(name), known);
      this.#journals.set(name, journal && sumsOf(journal, date));
    }
  }

  /** The cost of a session on a day, including the estimate for an open turn whose server is dead. */
  async #sumOf(name: string, journal: ReadJournal | undefined, date: string): Promise<number> {
    if (journal === undefined) return 0;
    const { fields, spent } = journal.folded;
    const open = await openTurnOf(fields, this.#settings.servers);
    this.reservations.noteElsewhere(name, open.owner === 'elsewhere' ? open.reservedUsd : 0);
    return usdOf(on(date, spent)) + (open.owner === 'gone' ? open.costUsd : 0);
  }

  async #linesOf(name: string, date: string): Promise<UsageLine[]> {
    const { folded } = (await readJournal(this.#path(name)).catch(() => undefined)) ?? {};
    if (folded === undefined) return [];
    const sessionId = asText(folded.fields['sessionId']) ?? '';
    const cwd = asText(ownValue(folded.fields, 'options', 'cwd')) ?? '';
    return on(date, folded.spent)
      .filter(({ costUsd }) => costUsd > 0)
      .map(({ at, id: _id, ...spent }) => ({ at: isoTime(at), sessionId, cwd, ...spent }));
  }

  #path(name: string): string {
    return join(this.#settings.stateDir, 'sessions', `${name}.jsonl`);
  }
}

/** What a sum needs: with the prompts and results of every session of the day, it would fill the memory. */
function sumsOf({ read, folded: { fields, spent } }: ReadJournal, date: string): ReadJournal {
  const { openTurn, openCostUsd, server } = fields;
  const reservedUsd = ownValue(openTurn, 'reservedUsd');
  return {
    read: { ...read, lines: [] },
    folded: {
      fields: openTurn === undefined ? {} : { openTurn: { reservedUsd }, openCostUsd, server },
      spent: on(date, spent).map(({ at, id, costUsd, turns }) => ({ at, id, costUsd, turns })),
    },
  };
}

/** Synchronous, because a thousand promises cost more than the calls themselves. */
function isUnchanged(path: string, { inode, end }: ReadLines): boolean {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.ino === inode && Number(stats.size) === end;
}

function on(date: string, spent: readonly SpentAt[]): readonly SpentAt[] {
  return spent.filter(({ at }) => dateOf(at) === date);
}

function usdOf(costs: readonly { readonly costUsd: number }[]): number {
  return costs.reduce((sum, { costUsd }) => sum + costUsd, 0);
}
