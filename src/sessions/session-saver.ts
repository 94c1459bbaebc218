import type { Clock } from '../core/clock.js';
import { AppError, messageOf } from '../core/errors.js';
import type { IdSource } from '../core/ids.js';
import type { Audit } from '../core/observability/audit.js';
import type { Logger } from '../core/observability/logger.js';
import type { Meter } from '../core/observability/measurements.js';
import type { TurnReport } from '../core/session/turn-result.js';
import { meterUsage } from '../session/process/process-meter.js';
import { turnEntry } from '../session/report/audit-entries.js';
import type { Session, SessionOwner } from '../session/session.js';
import { slowDiskMs, within } from '../session/services/within.js';
import type { EventStore } from '../state/event-store.js';
import type { GrantSeal } from '../state/grant-seal.js';
import type { RecordStore, Spent } from '../state/record-store.js';
import type { UsageLedger } from '../state/money/usage-ledger.js';
import type { News } from './news.js';
import { toMoney, toRecord } from './to-record.js';

export interface SaverSettings {
  readonly records: RecordStore;
  readonly ledger: UsageLedger;
  readonly events: Pick<EventStore, 'remove'>;
  readonly seal: GrantSeal;
  /** This server, as other servers see it. */
  readonly server: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly audit: Audit;
  readonly meter: Meter;
  readonly news: Pick<News, 'changed'>;
  /** Called after every change. */
  readonly onChanged: () => void;
}

/** A model call takes longer than this, and the estimate includes one call in flight. */
const costIntervalMs = 200;

/** Takes every change of a session to disk, and remembers what could not be saved. */
export class SessionSaver implements SessionOwner {
  readonly #settings: SaverSettings;
  /** The sessions whose last write failed, and why. */
  readonly #problems = new Map<string, { readonly session: Session; readonly reason: string }>();
  /** Since when a session has been waiting for its writes. */
  readonly #writing = new Map<string, { count: number; readonly since: number }>();
  /** Sessions whose cost was saved a moment ago, and whether it has changed since. */
  readonly #costs = new Map<Session, { hasChanged: boolean }>();
  readonly #discarded = new WeakSet<Session>();
  /** Names for the costs of sessions that are not persisted. */
  readonly #names = new WeakMap<Session, string>();

  constructor(settings: SaverSettings) {
    this.#settings = settings;
  }

  /** Why the state of a session is not on disk; undefined if it is. */
  problemOf(sessionId: string): string | undefined {
    const problem = this.#problems.get(sessionId)?.reason;
    const writing = this.#writing.get(sessionId);
    if (problem !== undefined || writing === undefined) return problem;
    const ms = this.#settings.clock.elapsed() - writing.since;
    return ms < slowDiskMs ? undefined : `the disk has not answered for ${Math.round(ms / 1_000)} s`;
  }

  /** Whether no write has failed, and none takes too long. */
  get isSaved(): boolean {
    return (
      this.#problems.size === 0 && ![...this.#writing.keys()].some((id) => this.problemOf(id) !== undefined)
    );
  }

  /** Whether the last write of a session failed. */
  hasFailed(sessionId: string): boolean {
    return this.#problems.has(sessionId);
  }

  onChanged(session: Session): void {
    this.#settings.news.changed(session.id);
    this.#settings.onChanged();
    this.save(session).catch(() => undefined);
  }

  onCostChanged(session: Session): void {
    const recent = this.#costs.get(session);
    if (recent !== undefined) recent.hasChanged = true;
    else this.#saveCost(session);
  }

  onSpent(session: Session, report: TurnReport): void {
    const { audit, meter, ledger } = this.#settings;
    const { costUsd, numTurns: turns, modelUsage, isEstimate } = report;
    audit.record(turnEntry(session.view, report));
    // Reported costs are metered where the process reports them.
    if (isEstimate) meterUsage(report, meter);
    if (costUsd <= 0) return;
    ledger.add(costUsd);
    this.#write(session, { costUsd, turns, modelUsage }).catch(() => undefined);
  }

  save(session: Session): Promise<void> {
    return this.#write(session);
  }

  /** Notes that a fork shares the budget of a session. Rejects if other servers could not know that. */
  async noteFork(budgetId: string, forkId: string): Promise<void> {
    const { records, clock } = this.#settings;
    await within(slowDiskMs, clock, records.noteFork(budgetId, forkId)).catch((error: unknown) => {
      throw new AppError('not_saved', { problem: messageOf(error) });
    });
  }

  async refuseContinued(session: Session): Promise<void> {
    const { id, view } = session;
    const { records } = this.#settings;
    // A live process has kept all others away.
    const record = view.isLive ? undefined : await records.load(id);
    if (record === undefined) return;
    const { turn, totals, status } = record;
    const hasRun = turn > view.turnNumber || totals.turns > view.totals.turns;
    const isOther = view.elsewhere !== undefined || status === 'cancelled' || records.hasOtherModes(record);
    if (hasRun || isOther) throw new AppError('session_changed', { sessionId: id, what: 'session' });
    // Its process may have exited there just now.
    session.catchUp(record);
  }

  /** Saves what could not be saved before. Resolves when that is on disk or has failed again. */
  async retry(): Promise<void> {
    await Promise.allSettled([...this.#problems.values()].map(({ session }) => this.#write(session)));
  }

  /** Frees memory when a session is forgotten. */
  release(session: Session): void {
    const isKept = session.view.options.persistSession;
    this.#costs.delete(session);
    this.#problems.delete(session.id);
    void this.#settings.records.release(isKept ? session.id : this.#nameOf(session));
  }

  /** Removes a session whose start was refused. Nothing that still ends, such as a failed write, brings it back. */
  async discard(session: Session): Promise<void> {
    const { records, events, logger } = this.#settings;
    this.#discarded.add(session);
    this.#problems.delete(session.id);
    const removals = [records.remove(session.id), events.remove(session.id)];
    for (const removal of await Promise.allSettled(removals))
      if (removal.status === 'rejected')
        logger.log('warn', 'a session that was not started could not be removed', {
          sessionId: session.id,
          reason: messageOf(removal.reason),
        });
  }

  #saveCost(session: Session): void {
    const recent = { hasChanged: false };
    this.#costs.set(session, recent);
    this.save(session).catch(() => undefined);
    this.#settings.clock.after(costIntervalMs, () => {
      if (this.#costs.get(session) !== recent) return;
      this.#costs.delete(session);
      if (recent.hasChanged) this.#saveCost(session);
    });
  }

  async #write(session: Session, spent?: Spent): Promise<void> {
    const { id, view } = session;
    const { records, clock, server, seal, logger } = this.#settings;
    if (this.#discarded.has(session)) return;
    this.#begin(id);
    try {
      if (view.options.persistSession)
        await records.save(toRecord(view, { now: clock.now(), server, seal }), spent, view.isHeld);
      else await records.saveMoney(this.#nameOf(session), toMoney(view, server), spent);
      this.#problems.delete(id);
    } catch (error) {
      if (this.#discarded.has(session)) throw error;
      const reason = messageOf(error);
      if (this.#problems.get(id)?.reason !== reason)
        logger.log('error', 'a session could not be saved', { sessionId: id, reason });
      this.#problems.set(id, { session, reason });
      throw error;
    } finally {
      this.#end(id);
    }
  }

  #begin(id: string): void {
    const writing = this.#writing.get(id) ?? { count: 0, since: this.#settings.clock.elapsed() };
    writing.count += 1;
    this.#writing.set(id, writing);
  }

  #end(id: string): void {
    const writing = this.#writing.get(id);
    if (writing !== undefined) writing.count -= 1;
    if (writing?.count === 0) this.#writing.delete(id);
  }

  /** Their costs count, but nothing may lead from them to the session. */
  #nameOf(session: Session): string {
    const name = this.#names.get(session) ?? this.#settings.ids.uuid();
    this.#names.set(session, name);
    return name;
  }
}
