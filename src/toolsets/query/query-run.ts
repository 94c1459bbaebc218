import type { Clock } from '../../core/clock.js';
import { isPersonsAnswer, type SessionEvent } from '../../core/session/events.js';
import type { TurnResult } from '../../core/session/turn-result.js';
import type { View } from '../../core/view.js';
import { ActiveTimer } from '../../core/active-timer.js';
import type { Session } from '../../session/session.js';
import type { Vocabulary } from '../shared/wording/vocabulary.js';
import { failureOf, type Failure, type StopCause } from './failure.js';
import { KeptMessages } from './kept-messages.js';
import { lineOf } from './lines.js';
import type { FeedItem, MessageFeed } from './message-feed.js';
import { inBrief, isHopelessRetry, isType, withoutPrivate } from './message-shape.js';
import { shortenTo } from './shorten.js';

export interface QueryRunSettings {
  readonly clock: Clock;
  readonly startedAt: number;
  readonly limitMs: number;
  /** Whether the caller asked for more time than the operator allows. */
  readonly isLimitCut: boolean;
  /** Whether the operator allows no longer one. */
  readonly isLimitLongest: boolean;
  readonly maxMessages: number;
  readonly includeSystemMessages: boolean;
  readonly vocabulary: Vocabulary;
}

/** The outcome of a query. */
export interface QueryEnd {
  readonly executionTime: number;
  readonly result: TurnResult | undefined;
  readonly failure: Failure | undefined;
}

/** Notifications are for following along, not for archiving, so each is short. */
const maxMessageChars = 16_000;

/**
 * A query from its prompt to its outcome. It lives as long as its session is in memory, because in the 2026 protocol
 * one query can span several calls, and a client can request the same outcome twice.
 */
export class QueryRun {
  readonly session: Session;
  readonly feed: MessageFeed;
  readonly messages: KeptMessages;
  /** One line for each request that a person denied, or that none could answer. */
  readonly denied: string[] = [];
  readonly #settings: QueryRunSettings;
  /** Counts Claude's work: undefined until Claude Code has started. */
  #limit: ActiveTimer | undefined;
  readonly #unsubscribes: readonly (() => void)[];
  #hasBegun = false;
  /** Items held back until the start succeeds: a failed start reports only its error. */
  readonly #early: FeedItem[] = [];
  readonly #asked = new Map<string, string>();
  #stoppedFor: StopCause | undefined;
  #end: QueryEnd | undefined;
  #answer: object | undefined;

  constructor(session: Session, feed: MessageFeed, settings: QueryRunSettings) {
    this.session = session;
    this.feed = feed;
    this.messages = new KeptMessages(settings.maxMessages);
    this.#settings = settings;
    this.#unsubscribes = [
      session.onMessage((message) => this.#onMessage(message)),
      session.subscribe((event) => this.#onChange(event)),
    ];
  }

  /** The time limit, if it is shorter than the caller asked for. */
  get timeoutLimitMs(): number | undefined {
    const { limitMs, isLimitCut } = this.#settings;
    return isLimitCut ? limitMs : undefined;
  }

  /** Undefined while the query runs. */
  get end(): QueryEnd | undefined {
    return this.#end;
  }

  /**
   * Gives every call the answer that the first one got. Then it frees the messages, because the session stays in memory
   * and may be one of many.
   */
  answer(view: View): View {
    return (fits) => {
      this.#answer ??= view(fits);
      this.messages.forget();
      return this.#answer;
    };
  }

  /** Marks the start as successful. A failure before this is an error of the call, not an outcome of the query. */
  begin(): void {
    const { clock, limitMs } = this.#settings;
    this.#hasBegun = true;
    this.#limit = new ActiveTimer(limitMs, clock, () => void this.#onLimit().catch(() => undefined));
    this.#keepTime();
    for (const item of this.#early) this.feed.add(item);
    this.#endIfOver();
  }

  /** Stops the timer and listeners, after the end or after a failed start. */
  leave(): void {
    this.#limit?.end();
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
  }

  #onMessage(message: unknown): void {
    if (isHopelessRetry(message) && this.#stoppedFor === undefined) {
      this.#stoppedFor = 'invalid_key';
      void this.session.interrupt();
    }
    this.#tell('info', withoutPrivate(message));
  }

  #tell(level: 'info' | 'error', whole: unknown): void {
    const { shown, chars } = shortenTo(whole, maxMessageChars);
    this.feed.add({ kind: 'message', level, message: shown.message, at: this.#settings.clock.now(), chars });
    if (this.#settings.includeSystemMessages || !isType(whole, 'system'))
      this.messages.add({ ...shown, message: inBrief(shown.message) });
  }

  #onChange(event: SessionEvent | undefined): void {
    const line = event && lineOf(event);
    if (line) this.#say(line);
    if (event) this.#noteDenial(event);
    this.#keepTime();
    this.#endIfOver();
  }

  #noteDenial(event: SessionEvent): void {
    if (event.type === 'input_request') this.#asked.set(event.requestId, event.summary);
    if (event.type !== 'input_resolved' || event.decision !== 'deny') return;
    const summary = this.#asked.get(event.requestId);
    if (isPersonsAnswer(event.answeredBy) && summary !== undefined)
      this.denied.push(`${summary} (a person denied it)`);
  }

  /** Time that a person takes does not count. */
  #keepTime(): void {
    if (this.session.view.state.status === 'waiting') this.#limit?.pause();
    else this.#limit?.resume();
  }

  #say(text: string): void {
    const item = { kind: 'line', text, at: this.#settings.clock.now() } as const;
    if (this.#hasBegun) this.feed.add(item);
    else this.#early.push(item);
  }

  #endIfOver(): void {
    if (this.#hasBegun && this.#end === undefined && this.#isOver()) this.#finish();
  }

  /** Waits for background subagents, which are part of the work, but not for shells, which may run forever. */
  #isOver(): boolean {
    const { state, tasks, isAtRest, expectsTurn } = this.session.view;
    if (state.status === 'running' || state.status === 'waiting' || expectsTurn) return false;
    return isAtRest || (tasks.length > 0 && !tasks.some(({ isAgent }) => isAgent));
  }

  async #onLimit(): Promise<void> {
    await this.session.interrupt('time_limit');
    if (this.#end !== undefined) return;
    // The turn had ended, but its subagents were still running.
    this.#stoppedFor = 'time_limit';
    await this.session.halt();
  }

  #finish(): void {
    const { clock, startedAt, vocabulary, isLimitLongest } = this.#settings;
    const result = this.session.view.lastResult;
    const failure = failureOf({ result, cause: this.#stoppedFor, isLimitLongest }, vocabulary);
    this.#end = { executionTime: Math.round(clock.elapsed() - startedAt), result, failure };
    this.leave();
    if (failure !== undefined) this.#tell('error', { type: 'error', ...failure });
    // Few queries are continued, and an idle Claude Code takes about 200 MB.
    void this.session.closeIfIdle().catch(() => undefined);
  }
}
