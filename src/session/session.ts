import type { BackendSignal, BackgroundTask, ProcessExit, Prompt } from '../core/backend.js';
import { AppError, messageOf } from '../core/errors.js';
import type { AnsweredBy, EventBody, SessionEvent } from '../core/events.js';
import type { IdSource, SessionId } from '../core/ids.js';
import type { InputAnswer, InputAsk, InputRequest } from '../core/inputs.js';
import type { Logger } from '../core/logger.js';
import type { EffectiveOptions } from '../core/options/index.js';
import { nextState, type SessionState, type StateEvent } from '../core/session-state.js';
import type { TurnReport, TurnResult } from '../core/turn-result.js';
import type { EventLog } from '../events/event-log.js';
import type { InputBroker } from '../inputs/broker.js';
import { Activity } from './activity.js';
import type { Conversation } from './conversation.js';
import { Engine, type EngineDependencies } from './engine.js';
import { PromptQueue } from './prompt-queue.js';
import * as reports from './reports.js';
import type { SlotHolder } from './slots.js';
import { addTurn, toTurnResult, type Totals } from './totals.js';
import { Turn, type StopReason } from './turn.js';
import { Turns } from './turns.js';

export interface SessionDependencies extends EngineDependencies {
  readonly ids: IdSource;
  readonly broker: InputBroker;
  readonly logger: Logger;
  /** A turn never lasts longer than this, not even one that waits for a person. */
  readonly longestRunMs: number;
  /** Called whenever something that outlives the process has changed. */
  readonly onChanged: (session: Session) => void;
}

/** What a session is made of: new, forked, or read back from its record. */
export interface SessionSeed {
  readonly id: SessionId;
  readonly createdAt: number;
  readonly state: SessionState;
  readonly turn: number;
  readonly totals: Totals;
  readonly options: EffectiveOptions;
  readonly conversation: Conversation;
  readonly forkOf: string | undefined;
  readonly log: EventLog;
}

/** Limits that a reply may change, from this turn on. */
export interface TurnChanges {
  readonly maxTurns?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export type WhenBusy = 'reject' | 'queue' | 'steer';
export type SessionListener = (event: SessionEvent | undefined, raw: unknown) => void;

/** How long an interrupted turn may take to end before its process is ended instead. */
const interruptGraceMs = 5_000;
/** How long after its last background task Claude Code may take to begin a turn about it. */
const unsolicitedGraceMs = 2_000;

/** One Claude Code conversation: its state, its turns, its events. Everything that happens to it happens here. */
export class Session implements SlotHolder {
  readonly id: SessionId;
  readonly createdAt: number;
  readonly log: EventLog;
  readonly conversation: Conversation;
  availableTools: readonly string[] = [];
  lastResult: TurnResult | undefined;
  /** The seq of the event that announced `lastResult`. */
  lastResultSeq = 0;
  lastUsedAt: number;
  readonly #deps: SessionDependencies;
  readonly #engine: Engine;
  readonly #turns = new Turns();
  readonly #queue = new PromptQueue<TurnChanges>();
  readonly #activity = new Activity();
  readonly #listeners = new Set<SessionListener>();
  readonly #forkOf: string | undefined;
  #state: SessionState;
  #turnNumber: number;
  #totals: Totals;
  #options: EffectiveOptions;
  /** Set while a reply checks whether it may run: a second reply in the same tick must lose. */
  #isClaimed = false;
  /** Set while a turn of Claude Code's own is expected. */
  #stopExpecting: (() => void) | undefined;

  constructor(seed: SessionSeed, deps: SessionDependencies) {
    this.id = seed.id;
    this.createdAt = seed.createdAt;
    this.lastUsedAt = deps.clock.now();
    this.log = seed.log;
    this.conversation = seed.conversation;
    this.#forkOf = seed.forkOf;
    this.#state = seed.state;
    this.#turnNumber = seed.turn;
    this.#totals = seed.totals;
    this.#options = seed.options;
    this.#deps = deps;
    this.#engine = new Engine(deps, this, seed.conversation, {
      onSignal: (signal, raw) => this.#onSignal(signal, raw),
      onAsk: (ask, signal) => this.#onAsk(ask, signal),
      onExit: (exit) => this.#onExit(exit),
    });
  }

  get state(): SessionState {
    return this.#state;
  }

  get turnNumber(): number {
    return this.#turnNumber;
  }

  get totals(): Totals {
    return this.#totals;
  }

  get options(): EffectiveOptions {
    return this.#options;
  }

  get openInputs(): readonly InputRequest[] {
    return this.#deps.broker.openFor(this.id);
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#engine.tasks;
  }

  get queuedPrompts(): number {
    return this.#queue.length;
  }

  /** Nothing more can happen to it unless somebody acts. */
  get isAtRest(): boolean {
    const { status } = this.#state;
    if (status === 'running' || status === 'waiting') return false;
    return this.tasks.length === 0 && this.#stopExpecting === undefined;
  }

  activity(): string | undefined {
    return this.#activity.line(this.#deps.clock.now());
  }

  subscribe(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs the first prompt. Resolves when Claude Code works on it; rejects, leaving nothing, when it did not start. */
  async start(text: string): Promise<void> {
    this.#engine.reserve();
    const prompt = this.#prompt(text, 'turn');
    const turn = this.#beginTurn([prompt.uuid], {});
    try {
      await this.#deliver(prompt, turn);
    } catch (error) {
      this.#turns.end([]);
      await this.#engine.stop();
      throw error;
    }
    this.#deps.onChanged(this);
  }

  /** Runs another prompt, or queues it, or adds it to the running turn. Changes nothing when it throws. */
  async reply(text: string, whenBusy: WhenBusy, changes: TurnChanges): Promise<void> {
    this.#refuseEnded();
    if (this.#isBusy()) return this.#replyWhileBusy(text, whenBusy, changes);
    this.#isClaimed = true;
    try {
      this.#engine.reserve();
      await this.#engine.refuseForeignOwner();
      this.#refuseEnded();
    } catch (error) {
      this.#engine.yieldSlot();
      throw error;
    } finally {
      this.#isClaimed = false;
    }
    // A background task may have begun a turn of its own in the meantime.
    if (this.#isBusy()) return this.#replyWhileBusy(text, whenBusy, changes);
    this.#runPrompt(this.#prompt(text, 'turn'), changes);
  }

  /** Stops the running turn; the session stays usable. Returns how many queued prompts were dropped. */
  async interrupt(): Promise<number> {
    const dropped = this.#dropQueue();
    const turn = this.#turns.current;
    if (turn === undefined) this.#apply({ type: 'interrupted' });
    else await this.#stopTurn(turn, 'interrupt', 'interrupt');
    return dropped;
  }

  /** Ends the session for good. */
  async cancel(): Promise<void> {
    if (this.#state.status === 'cancelled') return;
    this.#apply({ type: 'cancelled' });
    await this.#end('cancel', 'cancel');
    this.#notify(undefined, undefined);
    this.#deps.onChanged(this);
  }

  /** Ends the process because the server ends; the session can be resumed later. */
  async shutdown(): Promise<void> {
    await this.#end('shutdown', 'shutdown');
  }

  canEvict(): boolean {
    return this.isAtRest && !this.#isClaimed && this.#queue.length === 0 && this.#options.persistSession;
  }

  async evict(): Promise<void> {
    await this.#engine.evict();
  }

  describe(): string {
    const [input] = this.openInputs;
    return input === undefined
      ? (this.activity() ?? this.#state.status)
      : `waits for an answer to ${input.toolName}`;
  }

  #isBusy(): boolean {
    return this.#turns.current !== undefined || this.#isClaimed;
  }

  #refuseEnded(): void {
    if (this.#state.status === 'cancelled') {
      throw new AppError('CANCELLED', `session ${this.id} was cancelled`, {
        hint: 'Start a new session with claude_code.',
      });
    }
    if (!this.#options.persistSession && !this.#engine.isLive) {
      throw new AppError('CANCELLED', `session ${this.id} kept nothing on disk and its process has ended`, {
        hint: 'Start a new session with claude_code.',
      });
    }
  }

  #replyWhileBusy(text: string, whenBusy: WhenBusy, changes: TurnChanges): void {
    switch (whenBusy) {
      case 'reject':
        throw new AppError('SESSION_BUSY', `session ${this.id} is busy: ${this.describe()}`, {
          hint: 'Wait with claude_code_check, or reply with whenBusy "queue" or "steer", or interrupt it.',
        });
      case 'queue':
        return this.#queue.add(this.#prompt(text, 'turn'), changes);
      case 'steer': {
        const prompt = this.#prompt(text, 'steer');
        if (this.#turns.current !== undefined && this.#engine.steer(prompt)) this.#turns.steer(prompt.uuid);
        else this.#queue.add({ ...prompt, delivery: 'turn' }, changes);
      }
    }
  }

  #prompt(text: string, delivery: Prompt['delivery']): Prompt {
    return { uuid: this.#deps.ids.uuid(), text, delivery };
  }

  #runPrompt(prompt: Prompt, changes: TurnChanges): void {
    const { maxTurns = this.#options.maxTurns, maxBudgetUsd = this.#options.maxBudgetUsd } = changes;
    this.#options = { ...this.#options, maxTurns, maxBudgetUsd };
    if (this.#state.status !== 'running') this.#apply({ type: 'turn_started' });
    const turn = this.#beginTurn([prompt.uuid], changes);
    this.#notify(undefined, undefined);
    const budget = this.#budgetLeft();
    if (budget !== undefined && budget <= 0) return this.#endTurn(reports.budgetSpent(this.#options), []);
    this.#deliver(prompt, turn).catch((error: unknown) => {
      if (this.#turns.current === turn) this.#endTurn(reports.crashed(messageOf(error)), []);
    });
  }

  async #deliver(prompt: Prompt, turn: Turn): Promise<void> {
    await this.#engine.deliver({
      prompt,
      plan: { options: this.#options, budgetLeftUsd: this.#budgetLeft(), forkOf: this.#forkOf },
      isWanted: () => this.#turns.current === turn && turn.stopReason === undefined,
      onSent: () => (turn.isUnderWay = true),
    });
    if (this.#turns.current === turn && turn.stopReason !== undefined && !turn.isUnderWay) {
      this.#endTurn(reports.stopped(turn.stopReason, undefined), []);
    }
  }

  #budgetLeft(): number | undefined {
    const { maxBudgetUsd } = this.#options;
    return maxBudgetUsd === undefined ? undefined : maxBudgetUsd - this.#totals.costUsd;
  }

  #beginTurn(promptUuids: readonly string[], changes: TurnChanges): Turn {
    this.#turnNumber += 1;
    this.#expectNothing();
    this.lastUsedAt = this.#deps.clock.now();
    this.#engine.wake();
    const turn = new Turn({
      number: this.#turnNumber,
      promptUuids,
      limits: { activeMs: changes.timeoutMs ?? this.#options.timeoutMs, longestMs: this.#deps.longestRunMs },
      clock: this.#deps.clock,
      onLimit: () => void this.#stopTurn(turn, 'time_limit', 'timeout'),
    });
    this.#turns.begin(turn);
    return turn;
  }

  /** Interrupts the turn and waits for its end; a process that does not react is ended. */
  async #stopTurn(turn: Turn, reason: StopReason, by: AnsweredBy): Promise<void> {
    turn.stopReason ??= reason;
    // Interrupt first: an answer that arrived before it would let the model go on for a moment.
    this.#engine.interrupt().catch(() => undefined);
    this.#deps.broker.withdrawAll(this.id, by);
    const stopTimer = this.#deps.clock.after(interruptGraceMs, () => void this.#engine.stop());
    await turn.ended;
    stopTimer();
  }

  async #end(reason: StopReason, by: AnsweredBy): Promise<void> {
    this.#dropQueue();
    const turn = this.#turns.current;
    if (turn !== undefined) turn.stopReason ??= reason;
    const stopped = this.#engine.stop();
    this.#deps.broker.withdrawAll(this.id, by);
    await stopped;
    if (turn !== undefined && this.#turns.current === turn)
      this.#endTurn(reports.stopped(reason, undefined), []);
  }

  #dropQueue(): number {
    const dropped = this.#queue.drop();
    if (dropped > 0) this.#emit({ type: 'status', text: `${dropped} queued prompts were dropped` });
    return dropped;
  }

  #onSignal(signal: BackendSignal, raw: unknown): void {
    switch (signal.type) {
      case 'init':
        this.availableTools = signal.tools;
        return;
      case 'event':
        this.#emit(signal.event, raw);
        return;
      case 'activity':
        return this.#onActivity(signal.state);
      case 'result':
        return this.#onResult(signal);
      case 'tasks':
        this.#onTasks(signal.tasks.length);
        return;
      case 'message_seen':
        return;
    }
  }

  #expectNothing(): void {
    this.#stopExpecting?.();
    this.#stopExpecting = undefined;
  }

  /** The last task has ended: Claude Code is about to begin a turn to tell what came of it. */
  #onTasks(count: number): void {
    this.#expectNothing();
    if (count === 0 && this.#turns.current === undefined) {
      this.#stopExpecting = this.#deps.clock.after(unsolicitedGraceMs, () => {
        this.#stopExpecting = undefined;
        this.#notify(undefined, undefined);
      });
    }
    this.#notify(undefined, undefined);
  }

  /** Claude Code begins turns by itself when a background task has finished. */
  #onActivity(state: 'running' | 'idle'): void {
    const turn = this.#turns.current;
    if (state === 'running' && turn === undefined && !this.#isClaimed) this.#beginUnsolicited();
    if (state === 'idle' && turn?.isUnsolicited === true) this.#endTurn(reports.nothingToReport(), []);
  }

  #beginUnsolicited(): void {
    this.#apply({ type: 'turn_started' });
    this.#beginTurn([], {}).isUnderWay = true;
    this.#emit({ type: 'status', text: 'Claude Code goes on by itself: background work has news' });
  }

  #onResult(signal: Extract<BackendSignal, { type: 'result' }>): void {
    if (this.#turns.current === undefined && signal.unsolicited) this.#beginUnsolicited();
    const turn = this.#turns.current;
    if (turn === undefined || !this.#turns.isAnsweredBy(signal)) {
      this.#totals = addTurn(this.#totals, signal.report);
      this.#emit({ type: 'status', text: 'A result arrived that belongs to no prompt of the current turn' });
      return;
    }
    this.#endTurn(reports.judge(signal.report, turn.stopReason), signal.promptUuids);
  }

  #endTurn(report: TurnReport, answered: readonly string[]): void {
    const turn = this.#turns.current;
    if (turn === undefined) return;
    this.#deps.broker.withdrawAll(this.id, 'withdrawn');
    const tooLate = this.#turns.end(answered);
    this.#totals = addTurn(this.#totals, report);
    this.lastUsedAt = this.#deps.clock.now();
    const isBroken = report.errorSubtype === 'crashed' || report.errorSubtype === 'time_limit';
    if (isBroken) this.#dropQueue();
    const next = tooLate.length === 0 ? this.#queue.next() : undefined;
    const promptQueued = next !== undefined || tooLate.length > 0;
    this.#apply({ type: 'turn_ended', outcome: report.outcome, promptQueued });
    this.#announce(report, turn);
    this.#deps.onChanged(this);
    if (this.#state.status === 'cancelled') return;
    if (tooLate.length > 0) this.#goOnWith(tooLate, turn.stopReason);
    else if (next !== undefined) this.#runPrompt(next.prompt, next.changes);
    else this.#engine.rest();
  }

  #announce(report: TurnReport, turn: Turn): void {
    if (turn.isUnsolicited && report.numTurns === 0) return this.#notify(undefined, undefined);
    this.lastResult = toTurnResult(report, turn.number, this.#totals);
    this.lastResultSeq = this.log.head + 1;
    this.#emit(reports.toEvent(report));
  }

  /** Prompts meant to steer a turn that was already over: Claude Code runs them as a turn of their own. */
  #goOnWith(promptUuids: readonly string[], stopReason: StopReason | undefined): void {
    const turn = this.#beginTurn(promptUuids, {});
    turn.isUnderWay = true;
    if (stopReason !== undefined) void this.#stopTurn(turn, stopReason, 'interrupt');
  }

  #onAsk(ask: InputAsk, signal: AbortSignal): Promise<InputAnswer> {
    if (this.#state.status === 'cancelled') return Promise.resolve(reports.denyAfterEnd);
    // A subagent in the background may ask while no turn is running.
    if (this.#turns.current === undefined) this.#beginUnsolicited();
    return this.#deps.broker.ask(ask, {
      sessionId: this.id,
      timeoutMs: this.#options.permissionRequestTimeoutMs,
      signal,
      onOpened: (request) => {
        this.#turns.current?.pause();
        this.#apply({ type: 'input_requested' });
        this.#emit(reports.inputRequested(request));
      },
      onSettled: ({ request, answer, answeredBy }, othersOpen) => {
        if (!othersOpen) this.#turns.current?.goOn();
        this.#apply({ type: 'input_settled', othersOpen });
        this.#emit({
          type: 'input_resolved',
          requestId: request.requestId,
          decision: answer.decision,
          answeredBy,
        });
      },
    });
  }

  #onExit(exit: ProcessExit): void {
    const turn = this.#turns.current;
    // The process made way for the one that gets the prompt.
    if (turn !== undefined && !turn.isUnderWay) return;
    this.#turns.forget();
    this.#expectNothing();
    if (turn === undefined) {
      this.#apply({ type: 'process_closed' });
      this.#notify(undefined, undefined);
      return;
    }
    this.#endTurn(reports.stopped(turn.stopReason, exit), [...turn.promptUuids]);
  }

  #emit(body: EventBody, raw?: unknown): void {
    const event = this.log.append(body, this.#deps.clock.now(), this.#turnNumber);
    this.#activity.note(event);
    this.#notify(event, raw);
  }

  #notify(event: SessionEvent | undefined, raw: unknown): void {
    for (const listener of this.#listeners) listener(event, raw);
  }

  #apply(event: StateEvent): void {
    const next = nextState(this.#state, event);
    if (next !== undefined) this.#state = next;
    else
      this.#deps.logger.log('error', 'illegal state move', {
        sessionId: this.id,
        from: this.#state.status,
        event: event.type,
      });
  }
}
