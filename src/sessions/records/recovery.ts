import type { Clock } from '../../core/clock.js';
import type { SessionId } from '../../core/ids.js';
import { AppError } from '../../core/errors.js';
import type { EventBody, SessionEvent } from '../../core/session/events.js';
import { answersSince } from '../../history/answers.js';
import { Turns } from '../../files/turns.js';
import type { ClaudeHome } from '../../history/claude-home.js';
import { findTranscript } from '../../history/transcript.js';
import { dollars, toTurnResult } from '../../session/budget/totals.js';
import { UnreportedCost } from '../../session/budget/unreported-cost.js';
import { restarted } from '../../session/report/reports.js';
import type { EventStore } from '../../state/event-store.js';
import { openTurnOf } from '../../state/open-turn.js';
import type { SessionRecord } from '../../state/record.js';
import type { RecordStore, Spent } from '../../state/record-store.js';
import type { Servers } from '../../state/server-mark.js';
import { isHolder, type SessionLocks } from '../../state/session-locks.js';

export interface RecoverySettings {
  readonly records: RecordStore;
  readonly events: EventStore;
  readonly servers: Servers;
  readonly locks: SessionLocks;
  readonly clock: Clock;
  readonly claudeHome: ClaudeHome;
}

/** A record as the caller may see it. */
export interface Recovered {
  readonly record: SessionRecord;
  /** The process id of another server that runs its open turn. */
  readonly elsewhere: number | undefined;
  /** The newest events. */
  readonly events: readonly SessionEvent[];
}

/** Reads records, and ends turns on record whose server is gone. */
export class Recovery {
  readonly #settings: RecoverySettings;
  /** Each takes megabytes while it is read, and a principal can ask for thousands at once. */
  readonly #turns = new Turns(4);

  constructor(settings: RecoverySettings) {
    this.#settings = settings;
  }

  load(id: SessionId): Promise<Recovered | undefined> {
    return this.#turns.run(() => this.#load(id));
  }

  async #load(id: SessionId): Promise<Recovered | undefined> {
    const { records, servers, events } = this.#settings;
    const record = await records.load(id);
    if (record === undefined) return undefined;
    const open = await openTurnOf(record, servers);
    const elsewhere = open.owner === 'elsewhere' ? open.pid : undefined;
    const shown = open.owner === 'gone' ? await this.#settle(id, record) : record;
    return { record: shown, elsewhere, events: await events.read(id) };
  }

  /** The turn may have been settled by another server, so its cost is counted under the lock of the session. */
  async #settle(id: SessionId, seen: SessionRecord): Promise<SessionRecord> {
    const { records, servers, locks, clock, events } = this.#settings;
    const lock = await locks.take(seen.claudeSessionId).catch(() => undefined);
    if (lock === undefined || isHolder(lock)) return cutOff(seen, clock.now());
    try {
      const found = (await records.load(id)) ?? seen;
      if ((await openTurnOf(found, servers)).owner !== 'gone') return found;
      const record = { ...found, openCostUsd: await this.#costOf(found) };
      const last = (await events.read(id)).at(-1);
      // A server that was killed right here has announced the end already.
      const isAnnounced = isEndOf(record, last);
      // The server may have written events after its last line about the turn.
      const head = Math.max(record.cursor ?? 0, (last?.seq ?? 0) - (isAnnounced ? endCount(record) : 0));
      const settled = cutOff({ ...record, cursor: head }, clock.now());
      const ends = endsOf(settled, head + 1);
      if (!isAnnounced && !hasResult(record)) events.keep(id, { read: () => ({ events: ends }) }, head + 1);
      await events.flush();
      records.continueFrom(found);
      await records.save(settled, cutCost(record));
      return settled;
    } catch (error) {
      if (error instanceof AppError) throw error;
      return cutOff(seen, clock.now());
    } finally {
      await lock.release();
    }
  }

  /**
   * The most that the open turn may have cost: the estimate of its server, or what Claude Code has written, if it worked
   * on without one.
   */
  async #costOf({ openTurn, openCostUsd = 0, ...record }: SessionRecord): Promise<number> {
    if (openTurn?.startedBy === 'rewind') return 0;
    const { claudeSessionId, options, totals } = record;
    const path = await findTranscript(this.#settings.claudeHome, claudeSessionId, options.cwd);
    if (path === undefined || openTurn === undefined) return openCostUsd;
    const answers = await answersSince(path, openTurn.startedAt).catch(() => []);
    const written = new UnreportedCost({ isResumed: totals.turns > 0, model: options.model });
    for (const answer of answers) written.note(answer);
    return Math.max(openCostUsd, answers.length === 0 ? 0 : written.afterKillUsd);
  }
}

/** The events that announce it: without the end of a request, its tool call would seem to wait forever. */
function endsOf({ lastResult, voided = [], updatedAt, turn }: SessionRecord, seq: number): SessionEvent[] {
  const text = lastResult?.result ?? '';
  const ends: readonly EventBody[] = [
    ...voided.map(
      (requestId) =>
        ({ type: 'input_resolved', requestId, decision: 'deny', answeredBy: 'shutdown' }) as const,
    ),
    { type: 'error', errorSubtype: 'server_restarted', text },
  ];
  return ends.map((end, index) => ({ ...end, seq: seq + index, at: updatedAt, turn }));
}

function endCount({ requests = [] }: SessionRecord): number {
  return requests.length + 1;
}

function isEndOf({ openTurn, turn }: SessionRecord, event: SessionEvent | undefined): boolean {
  if (event?.type !== 'error' || event.errorSubtype !== 'server_restarted') return false;
  return event.turn === (openTurn?.turn ?? turn);
}

/** The turn had ended when its server was killed, although the record did not say so yet. */
function hasResult({ openTurn, lastResult, turn }: SessionRecord): boolean {
  return openTurn === undefined && lastResult?.turn === turn;
}

function stateAfter({ lastResult }: SessionRecord): Pick<SessionRecord, 'status' | 'outcome'> {
  return { status: lastResult?.isError === true ? 'error' : 'idle', outcome: lastResult?.outcome };
}

/** Two servers, or one whose write failed, may save it more than once, but it counts once. */
function cutCost({ openTurn, openCostUsd: costUsd = 0 }: SessionRecord): Spent | undefined {
  return costUsd > 0 ? { id: `cut ${openTurn?.turn} ${openTurn?.startedAt}`, costUsd, turns: 0 } : undefined;
}

/** The record after the end that its open turn did not get. */
export function cutOff(record: SessionRecord, now: number): SessionRecord {
  const {
    openTurn = { turn: record.turn, startedAt: 0, prompts: [] },
    openCostUsd = 0,
    cutTurn: _cutTurn,
    server: _server,
    requests = [],
    cursor = 0,
    voided: _voided,
    ...rest
  } = record;
  if (hasResult(record)) return { ...record, updatedAt: now, ...stateAfter(record) };
  const isCancelled = rest.status === 'cancelled';
  const { turn: _turn, startedAt: _startedAt, startedBy, reservedUsd: _reserved, ...cutTurn } = openTurn;
  const totals = { ...rest.totals, costUsd: dollars(rest.totals.costUsd + openCostUsd) };
  const report = { ...restarted(cutTurn.prompts, startedBy), costUsd: openCostUsd };
  return {
    ...rest,
    updatedAt: now,
    status: isCancelled ? 'cancelled' : 'error',
    outcome: 'failed',
    turn: openTurn.turn,
    // Its end is in events that no cursor of a caller has passed.
    cursor: cursor + endCount(record),
    lastResult: toTurnResult(report, openTurn.turn, totals),
    ...(cutTurn.prompts.length === 0 || isCancelled ? {} : { cutTurn }),
    ...(requests.length === 0 ? {} : { voided: requests.map(({ requestId }) => requestId) }),
    totals,
  };
}
