import type {
  AnswerPart,
  BackgroundTask,
  ProcessControls,
  ProcessExit,
  Prompt,
} from '../../core/claude/backend.js';
import { messageOf } from '../../core/errors.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { AnsweredBy, EventBody } from '../../core/session/events.js';
import type { OwnWorkName, TurnReport } from '../../core/session/turn-result.js';
import { afterAllow, withAllowed } from '../approval/after-allow.js';
import { SessionApprovals, type Settling } from '../approval/session-approvals.js';
import { SessionSpending } from '../budget/session-spending.js';
import type { LaunchPlan } from '../process/delivery.js';
import { ProcessSupervisor } from '../process/process-supervisor.js';
import { blameOperator } from '../report/operator-limits.js';
import * as reports from '../report/reports.js';
import type { SessionFeed } from '../report/session-feed.js';
import type { SessionServices } from '../services/services.js';
import { askedIn, type Asked } from './asked.js';
import { BackgroundWatch } from './background-watch.js';
import type { TurnLoopSeed } from './beginning.js';
import { FirstStart } from './first-start.js';
import { ModelCalls } from './model-calls.js';
import type { OwnWork } from './own-work.js';
import { ProcessHost } from './process-host.js';
import { PromptQueue } from './prompt-queue.js';
import { ResultMatcher, type ResultSignal } from './result-matcher.js';
import { SessionFacts } from './session-facts.js';
import { interruptGraceMs, Turn, type TurnKind } from './turn.js';
import { amended, changedBy, changesNow, mayJoin, type TurnChanges } from './turn-changes.js';

/** Runs the turns of one session: a turn begins, its prompt is delivered, its process reports to ProcessHost, it ends. */
export class TurnLoop {
  readonly facts: SessionFacts;
  readonly supervisor: ProcessSupervisor;
  readonly spending: SessionSpending;
  readonly approvals: SessionApprovals;
  readonly background: BackgroundWatch;
  readonly #queue: PromptQueue<TurnChanges>;
  readonly #results: ResultMatcher;
  readonly #calls: ModelCalls;
  readonly #feed: SessionFeed;
  readonly #seed: TurnLoopSeed;
  readonly #services: SessionServices;

  constructor(seed: TurnLoopSeed, services: SessionServices) {
    this.#seed = seed;
    this.#services = services;
    this.#feed = seed.feed;
    this.#calls = new ModelCalls(services.limits.maxModelCalls);
    this.#results = new ResultMatcher((prompt, turn) => seed.feed.notePrompt(prompt, turn));
    this.#queue = new PromptQueue(seed.kept ?? [], (text) => services.redactor.redact(text));
    this.facts = new SessionFacts(seed, services);
    this.spending = new SessionSpending({ ...seed, dayBudget: services.dayBudget });
    this.background = new BackgroundWatch(services.clock, () => {
      if (this.tasks.length === 0) this.spending.end();
      this.#feed.stateChanged();
    });
    const { claudeHome } = seed.conversation;
    this.approvals = new SessionApprovals({ ...seed, claudeHome }, services, {
      options: () => this.facts.options,
      claudeSessionId: () => seed.conversation.claudeSessionId,
      onAllowed: (request, answer) => {
        this.adopt(afterAllow(this.facts.options, request, answer));
        this.amendQueue((options) => withAllowed(options, request, answer));
      },
      onAsked: () => this.#waitForInputs(),
      onSettled: (othersOpen, settled) => this.#onSettled(othersOpen, settled),
      tell: (body) => this.tell(body),
    });
    const host = new ProcessHost(this, seed);
    this.supervisor = new ProcessSupervisor(services, seed.holder, seed.conversation, host);
  }

  get current(): Turn | undefined {
    return this.#results.current;
  }

  /** Prompts that wait for the running turn to end. */
  get queue(): Pick<PromptQueue<TurnChanges>, 'texts' | 'kept' | 'join' | 'changes'> {
    return this.#queue;
  }

  get tasks(): readonly BackgroundTask[] {
    return this.supervisor.tasks;
  }

  /** No turn runs or is expected, and nothing runs in the background. */
  get isAtRest(): boolean {
    return !this.facts.isInTurn && this.tasks.length === 0 && !this.background.expectsTurn;
  }

  /** Runs the first prompt. Rejects if Claude Code did not start before `enough`, and leaves nothing behind. */
  async runFirst(prompt: Prompt, enough?: Promise<unknown>): Promise<void> {
    const turn = this.#beginTurn([prompt], {});
    if (this.endUnpaid(turn)) return;
    const start = new FirstStart(this.#seed.saved());
    const delivered = this.#deliver(prompt, turn, this.#plan(), start.saved).catch(async (error: unknown) => {
      if (start.fails()) await this.supervisor.stop();
      // Kept, or stopped on purpose: the turn ends like any other and the session stays.
      if (start.isKept || reports.isPause(turn.stopReason)) return this.#undelivered(turn, error);
      this.#results.end([]);
      this.spending.end();
      throw error;
    });
    return start.within(enough, delivered);
  }

  run(prompt: Prompt, given: TurnChanges, changes = changesNow(given)): void {
    this.facts.options = changedBy(changes, this.facts.options);
    if (this.facts.state.status !== 'running') this.facts.apply({ type: 'turn_started' });
    const turn = this.#beginTurn([prompt], changes);
    this.#feed.stateChanged();
    if (this.endUnpaid(turn)) return;
    if (changes.refusal !== undefined) return this.#undelivered(turn, changes.refusal);
    this.#deliver(prompt, turn, this.#plan(changes)).catch((why: unknown) => this.#undelivered(turn, why));
  }

  /** Runs work of this server as a turn, so that nothing else begins meanwhile and an interrupt ends it. */
  runOwn(name: OwnWorkName, work: OwnWork): void {
    this.facts.apply({ type: 'turn_started' });
    const turn = this.#beginTurn([], {}, name).begin();
    void work((ask) => this.approvals.askOwn(ask))
      .catch((error: unknown) => reports.failed(messageOf(error)))
      .then((report) => {
        this.#endTurn(turn, reports.judge(report, turn.stopReason), []);
      });
  }

  /** Sends a control request to Claude Code, starting it with these options if necessary. */
  ask<T>(question: (controls: ProcessControls) => Promise<T>, options = this.facts.options): Promise<T> {
    this.facts.options = options;
    return this.supervisor.ask(this.#plan(), question);
  }

  enqueue(prompt: Prompt, changes: TurnChanges): void {
    this.#queue.add(prompt, changes, this.current?.number);
    this.#seed.onChanged();
  }

  /** Runs the next queued prompt, or rests, after work that was not a turn. */
  continue(): void {
    if (this.current !== undefined) return;
    const next = this.#queue.next();
    if (next !== undefined) return this.run(next.prompt, next.changes);
    this.supervisor.rest();
    this.supervisor.yieldSlot();
  }

  /** Adds to the running turn; false if no turn can take it. */
  steer(prompt: Prompt, changes: TurnChanges = {}): boolean {
    const { barredModes = [] } = changes;
    // Until Claude Code works on the turn's own prompt, the steering prompt would overtake it.
    if (this.current?.canBeSteered(prompt) !== true || !mayJoin(changes, this.facts.options)) return false;
    if (!this.supervisor.steer(prompt, { ...this.approvals.forNextProcess, barredModes })) return false;
    this.#results.steer(prompt);
    this.#seed.onChanged();
    return true;
  }

  /** Interrupts the running turn and waits for its end, or ends subagents. A process that does not react is stopped. */
  async interrupt(reason: reports.StopReason, by: AnsweredBy): Promise<void> {
    const turn = this.current;
    if (turn === undefined && this.tasks.length > 0) this.supervisor.interrupt().catch(() => undefined);
    if (turn === undefined) return this.facts.apply({ type: 'interrupted' });
    turn.stopReason ??= reason;
    // Interrupt first: an answer that arrived before it would let the model continue for a moment.
    this.supervisor.interrupt().catch(() => undefined);
    this.approvals.withdrawAll(by);
    const stopTimer = this.#services.clock.after(interruptGraceMs, () => void this.supervisor.stop());
    await turn.ended.finally(stopTimer);
    // A prompt that came too late to steer it runs as another turn, which is interrupted as well.
    if (this.current?.stopReason !== undefined) await this.current.ended;
  }

  /** Stops the process, and with it the turn. */
  async end(reason: reports.StopReason, by: AnsweredBy): Promise<void> {
    if (reason === 'cancel') this.dropQueue();
    else this.#queue.keepAll();
    this.background.forget();
    const turn = this.current;
    if (turn !== undefined) turn.stopReason ??= reason;
    const stopped = this.supervisor.stop();
    this.approvals.withdrawAll(by);
    await stopped;
    this.#endTurn(turn, reports.stopped(reason), []);
  }

  /** Changes that the live process already knows; the next one starts with them. */
  adopt(changes: Partial<EffectiveOptions>): void {
    this.facts.options = { ...this.facts.options, ...changes };
    this.supervisor.adopt(changes);
  }

  /** Like `adopt`, but also applies to queued prompts, whose own options would otherwise undo the change. */
  configure(changes: Partial<EffectiveOptions>): void {
    this.adopt(changes);
    this.amendQueue((options) => ({ ...options, ...changes }));
  }

  amendQueue(change: (options: EffectiveOptions) => EffectiveOptions): void {
    this.#queue.amend((changes) => amended(changes, change));
  }

  /** Empties the queue and returns how many prompts were dropped. */
  dropQueue(): number {
    const dropped = this.#queue.drop();
    if (dropped > 0) this.tell({ type: 'status', text: reports.droppedPrompts(dropped) });
    return dropped;
  }

  tell(body: EventBody, raw?: unknown): void {
    this.#feed.tell(body, this.current ?? this.facts.turnNumber, raw);
  }

  /** Claude Code begins turns by itself when a background task finishes or asks, or a scheduled task is due. */
  beginUnsolicited(): void {
    this.facts.apply({ type: 'turn_started' });
    this.#beginTurn([], {}, 'continued').begin();
    this.tell({ type: 'status', text: 'Claude Code began this turn itself; it does not answer a prompt' });
    if (this.spending.refusal !== undefined) void this.interrupt('max_budget', 'interrupt');
  }

  /** Claude Code works on nothing. */
  onIdle(): void {
    const turn = this.current;
    if (turn?.isUnsolicited === true) this.#endTurn(turn, reports.nothingToReport, []);
    else if (turn?.isCompleted === true) this.#endTurn(turn, reports.unanswered, [...turn.promptUuids]);
  }

  onAnswer(part: AnswerPart): void {
    const isNew = this.spending.unreported.note(part);
    this.current?.noteAnswer(part);
    if (isNew) this.#seed.onCostChanged();
    if (this.#calls.note(part.id)) this.#stopCalls();
  }

  onEvent(event: EventBody, raw: unknown): void {
    this.tell(event, raw);
    if (this.spending.unreported.noteEvent(event)) this.#seed.onCostChanged();
    if (event.type === 'tool_use' && this.#calls.noteTool(event)) this.#stopCalls();
  }

  onResult(signal: ResultSignal): void {
    if (this.#results.isInterim(signal)) return this.spending.add(reports.selfStarted(signal.report));
    if (this.current === undefined && signal.unsolicited) this.beginUnsolicited();
    const turn = this.current;
    if (turn !== undefined && this.#results.isAnsweredBy(signal)) {
      const report = reports.judge(signal.report, turn.stopReason);
      return this.#endTurn(turn, reports.demandOutput(report, this.facts.options), signal.promptUuids);
    }
    this.#onOtherResult(signal);
  }

  /** The end of other work than the current turn's. If it ran before the prompt, the model has not seen that yet. */
  #onOtherResult({ report, unsolicited }: ResultSignal): void {
    if (this.current?.isBehindOtherWork === true) this.current.forgetAnswers();
    this.spending.add(unsolicited ? reports.selfStarted(report) : report);
    this.tell({ type: 'status', text: unsolicited ? reports.otherWorkEnded : reports.strayResult });
  }

  onExit(exit: ProcessExit): void {
    const turn = this.current;
    this.#results.forget();
    this.spending.forfeit(turn?.callsModel ?? false);
    this.background.forget();
    if (turn !== undefined)
      return this.#endTurn(turn, reports.stopped(turn.stopReason, exit, turn.answers), []);
    this.facts.apply({ type: 'process_closed' });
    this.#feed.stateChanged();
  }

  /** Stops work that has used up its model calls. An interrupt would not reach background subagents. */
  #stopCalls(): void {
    const turn = this.current;
    if (turn !== undefined && !turn.isUnsolicited) {
      if (turn.stopReason === undefined) void this.interrupt('max_turns', 'interrupt');
    } else if (this.supervisor.isLive) {
      this.tell({ type: 'status', text: reports.stopWords.max_turns });
      void this.end('max_turns', 'interrupt');
    }
  }

  #beginTurn(prompts: readonly Asked[], changes: TurnChanges, kind: TurnKind = 'prompt'): Turn {
    const { clock, limits } = this.#services;
    this.#queue.noteSent(prompts);
    this.facts.beginTurn();
    this.background.turnBegins({ isOwn: kind === 'continued' });
    this.supervisor.wake();
    const turn = new Turn({
      number: this.facts.turnNumber,
      asked: prompts.map(askedIn),
      resumeAt: changes.resumeAt,
      kind,
      limits: { activeMs: changes.timeoutMs ?? this.facts.options.timeoutMs, longestMs: limits.longestRunMs },
      clock,
      onLimit: (limit) => void this.interrupt(limit === 'longestMs' ? 'run_limit' : 'time_limit', 'timeout'),
    });
    this.#results.begin(turn);
    if (kind === 'prompt') this.#calls.begin();
    if (kind !== 'rewind') this.spending.begin(this.facts.options.maxBudgetUsd, kind);
    // A prompt is recorded before it is sent.
    if (kind !== 'prompt') this.#seed.onChanged();
    return turn;
  }

  /** Ends a turn for which no budget is left, before its prompt is sent. */
  endUnpaid(turn: Turn): boolean {
    const { refusal } = this.spending;
    if (refusal === undefined) return false;
    this.#endTurn(turn, reports.budgetSpent(this.facts.options, refusal), []);
    return true;
  }

  async #deliver(prompt: Prompt, turn: Turn, plan: LaunchPlan, saved = this.#seed.saved()): Promise<void> {
    await this.supervisor.deliver({
      prompt,
      plan,
      recorded: saved,
      isWanted: () => this.current === turn && turn.stopReason === undefined,
      onSent: () => (turn.isUnderWay = true),
      // Without a stop reason, the server is shutting down.
      onUnsent: () => this.#endTurn(turn, reports.stopped(turn.stopReason ?? 'shutdown'), []),
      onReady: () => turn.clock.start(),
    });
  }

  #undelivered(turn: Turn, error: unknown): void {
    this.#endTurn(turn, reports.undelivered(error, turn.stopReason), []);
  }

  #plan({ resumeAt, barredModes = [] }: TurnChanges = {}): LaunchPlan {
    return {
      options: this.facts.options,
      ...this.approvals.forNextProcess,
      budgetLeftUsd: () => this.spending.leftUsd(this.facts.options.maxBudgetUsd),
      forkOf: this.#seed.forkOf,
      resumeAt,
      barredModes,
    };
  }

  /** Ends only this turn: by now it may be over, and a reply may have begun another. */
  #endTurn(turn: Turn | undefined, end: TurnReport, answered: readonly string[]): void {
    if (turn === undefined || this.current !== turn) return;
    const ended = reports.startedBy(turn.startedBy, end);
    const report = blameOperator(ended, this.facts.options, this.#services.limits, this.spending.limit);
    // A background subagent outlives a completed turn, and so do its requests.
    if (report.outcome !== 'completed') this.approvals.withdrawAll('withdrawn');
    const tooLate = this.#results.end(answered);
    this.spending.add(report);
    // Work that Claude Code continues by itself is paid from the same share.
    if (!this.background.turnEnds() && tooLate.length === 0 && this.tasks.length === 0) this.spending.end();
    this.facts.endTurn(turn);
    if (reports.isBroken(report)) this.#queue.keepAll();
    const next = tooLate.length === 0 ? this.#queue.next() : undefined;
    const promptQueued = next !== undefined || tooLate.length > 0;
    this.facts.apply({ type: 'turn_ended', outcome: report.outcome, promptQueued });
    if (end === reports.nothingToReport) this.#feed.stateChanged();
    else this.#feed.tellResult(report, turn, this.spending.totals);
    this.#seed.onChanged();
    if (this.facts.state.status === 'cancelled') return;
    if (tooLate.length > 0) this.#runLateSteering(tooLate, turn.stopReason);
    else if (next !== undefined) this.run(next.prompt, next.changes);
    else if (this.approvals.hasOpen) this.beginUnsolicited();
    else this.supervisor.rest();
    if (this.approvals.hasOpen) this.#waitForInputs();
  }

  #onSettled(othersOpen: boolean, { requestId, answeredBy }: Settling): void {
    const turn = this.current;
    if (answeredBy === 'shutdown') this.facts.noteVoided(requestId);
    if (answeredBy === 'timeout' && this.#services.limits.interruptOnTimeout && turn !== undefined)
      turn.stopReason ??= 'approval_timeout';
    if (!othersOpen) turn?.clock.resume();
    this.facts.apply({ type: 'input_settled', othersOpen });
    this.#seed.onChanged();
    if (answeredBy === 'withdrawn' && turn !== undefined) queueMicrotask(() => this.#endIfIdle(turn));
  }

  /** Ends an unsolicited turn that only its request kept alive: without background work, no signal would end it. */
  #endIfIdle(turn: Turn): void {
    if (this.current === turn && !this.approvals.hasOpen && this.tasks.length === 0) this.onIdle();
  }

  #waitForInputs(): void {
    this.current?.clock.pause();
    this.facts.apply({ type: 'input_requested' });
    this.#seed.onChanged();
    this.#feed.stateChanged();
  }

  /** Steering prompts that arrived after their turn ended: Claude Code runs them as a separate turn. */
  #runLateSteering(prompts: readonly Asked[], stopReason: reports.StopReason | undefined): void {
    this.#beginTurn(prompts, {}, 'continued').begin();
    if (stopReason !== undefined) void this.interrupt(stopReason, 'interrupt');
  }
}
