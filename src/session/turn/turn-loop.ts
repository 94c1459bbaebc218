import type {
  BackendHost,
  BackendSignal,
  ProcessControls,
  ProcessExit,
  Prompt,
} from '../../core/claude/backend.js';
import { messageOf } from '../../core/errors.js';
import type { AnsweredBy, EventBody } from '../../core/session/events.js';
import type { GateDecision, ToolCall } from '../../core/claude/gate.js';
import type { InputAnswer, InputAsk } from '../../core/session/inputs.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { isPermissionMode } from '../../core/options/tools.js';
import type { SessionState, StateEvent } from '../../core/session/session-state.js';
import type { TurnReport } from '../../core/session/turn-result.js';
import { SessionSpending } from '../budget/session-spending.js';
import { afterAllow } from '../approval/after-allow.js';
import { BackgroundWatch } from './background-watch.js';
import { ProcessSupervisor, type LaunchPlan } from '../process/process-supervisor.js';
import { SessionApprovals } from '../approval/session-approvals.js';
import type { SessionFeed } from '../report/session-feed.js';
import { moved } from './moved.js';
import { PromptQueue } from './prompt-queue.js';
import * as reports from '../report/reports.js';
import type { StopReason } from '../report/reports.js';
import type { OwnWork, TurnLoopDependencies, TurnLoopSeed } from './turn-loop-parts.js';
import { changedBy, interruptGraceMs, Turn, type TurnChanges } from './turn.js';
import { ResultMatcher } from './result-matcher.js';

/** Runs the turns of one session, one after the other, and judges how each of them ended. */
export class TurnLoop implements BackendHost {
  state: SessionState;
  turnNumber: number;
  options: EffectiveOptions;
  availableTools: readonly string[] = [];
  lastUsedAt: number;
  readonly account: SessionSpending;
  readonly engine: ProcessSupervisor;
  readonly background: BackgroundWatch;
  readonly queue = new PromptQueue<TurnChanges>();
  readonly #seed: TurnLoopSeed;
  readonly #deps: TurnLoopDependencies;
  readonly #journal: SessionFeed;
  readonly desk: SessionApprovals;
  readonly #turns = new ResultMatcher();
  readonly judge = (call: ToolCall): GateDecision => this.desk.judge(call);

  constructor(seed: TurnLoopSeed, deps: TurnLoopDependencies) {
    this.state = seed.state;
    this.turnNumber = seed.turn;
    this.account = new SessionSpending({ ...seed, day: deps.day });
    this.options = seed.options;
    this.lastUsedAt = deps.clock.now();
    this.background = new BackgroundWatch(deps.clock, () => {
      this.account.end();
      this.#journal.stateChanged();
    });
    this.#seed = seed;
    this.#deps = deps;
    this.desk = new SessionApprovals(
      {
        ...seed,
        ...deps,
        home: seed.conversation.home,
        plansDir: seed.conversation.plansDir,
        grants: seed.grants,
      },
      {
        options: () => this.options,
        onAllowed: (request, answer) => this.adopt(afterAllow(this.options, request, answer)),
        onAsked: () => this.#waitForInputs(),
        onSettled: (othersOpen, answeredBy) => this.#onSettled(othersOpen, answeredBy),
        tell: (body) => this.tell(body),
      },
    );
    this.#journal = seed.journal;
    this.engine = new ProcessSupervisor(deps, seed.holder, seed.conversation, this);
  }

  get current(): Turn | undefined {
    return this.#turns.current;
  }

  get onMessage(): BackendHost['onMessage'] {
    return this.#journal.passOn;
  }

  /** The first prompt. Rejects when Claude Code did not start; nothing is left then. */
  async runFirst(prompt: Prompt): Promise<void> {
    const turn = this.#beginTurn([prompt.uuid], {});
    if (this.account.refusal !== undefined)
      return this.#endTurn(turn, reports.budgetSpent(this.options, this.account.refusal), []);
    try {
      await this.#deliver(prompt, turn);
    } catch (error) {
      await this.engine.stop();
      // Stopped on purpose: that is an end like that of any turn, and the session stays.
      if (reports.isPause(turn.stopReason)) return this.#endTurn(turn, reports.stopped(turn.stopReason), []);
      this.#turns.end([]);
      this.account.end();
      throw error;
    }
  }

  run(prompt: Prompt, changes: TurnChanges): void {
    this.options = changedBy(changes, this.options);
    if (this.state.status !== 'running') this.#apply({ type: 'turn_started' });
    const turn = this.#beginTurn([prompt.uuid], changes);
    this.#journal.stateChanged();
    if (this.account.refusal !== undefined)
      return this.#endTurn(turn, reports.budgetSpent(this.options, this.account.refusal), []);
    this.#deliver(prompt, turn, changes.resumeAt).catch((error: unknown) => {
      this.#endTurn(turn, reports.crashed(messageOf(error)), []);
    });
  }

  /** Something this server does by itself, as a turn: nothing else begins meanwhile, and an interrupt ends it. */
  runOwn(name: string, work: OwnWork): void {
    this.#apply({ type: 'turn_started' });
    const turn = this.#beginTurn([name], {});
    turn.isUnderWay = true;
    void work((ask) => this.desk.askOwn(ask))
      .catch((error: unknown) => reports.failed(messageOf(error)))
      .then((report) => {
        this.#endTurn(turn, reports.judge(report, turn.stopReason), []);
      });
  }

  /** Asks Claude Code something beside its prompts, starting it if need be; the options are those it is started with. */
  ask<T>(question: (controls: ProcessControls) => Promise<T>, options = this.options): Promise<T> {
    this.options = options;
    return this.engine.ask(this.#plan(), question);
  }

  /** After something that was no turn: what has been queued meanwhile, or rest. */
  goOn(): void {
    if (this.current !== undefined) return;
    const next = this.queue.next();
    if (next !== undefined) return this.run(next.prompt, next.changes);
    this.engine.rest();
    this.engine.yieldSlot();
  }

  /** Adds to the running turn; false when there is none that could take it. */
  steer(prompt: Prompt): boolean {
    // Before its own prompt has gone out, a turn would be overtaken by what is to steer it.
    if (this.current?.isUnderWay !== true || !this.engine.steer(prompt)) return false;
    this.#turns.steer(prompt.uuid);
    return true;
  }

  /** Interrupts the turn, if there is one, and waits for its end; a process that does not react is ended. */
  async interrupt(reason: StopReason, by: AnsweredBy): Promise<void> {
    const turn = this.current;
    if (turn === undefined) return this.#apply({ type: 'interrupted' });
    turn.stopReason ??= reason;
    // Interrupt first: an answer that arrived before it would let the model go on for a moment.
    this.engine.interrupt().catch(() => undefined);
    this.desk.withdrawAll(by);
    const stopTimer = this.#deps.clock.after(interruptGraceMs, () => void this.engine.stop());
    await turn.ended.finally(stopTimer);
  }

  /** Ends the process, and with it the turn. */
  async end(reason: StopReason, by: AnsweredBy): Promise<void> {
    this.dropQueue();
    this.background.stop();
    const turn = this.current;
    if (turn !== undefined) turn.stopReason ??= reason;
    const stopped = this.engine.stop();
    this.desk.withdrawAll(by);
    await stopped;
    this.#endTurn(turn, reports.stopped(reason), []);
  }

  /** Somebody is interested: not the moment to forget it. */
  touch(): void {
    this.lastUsedAt = this.#deps.clock.now();
  }

  /** Changes that the live process knows of already; the next one starts with them. */
  adopt(changes: Partial<EffectiveOptions>): void {
    this.options = { ...this.options, ...changes };
    this.engine.adopt(changes);
  }

  cancel(): void {
    this.#apply({ type: 'cancelled' });
  }

  /** Empties the queue and tells how many prompts were dropped. */
  dropQueue(): number {
    const dropped = this.queue.drop();
    if (dropped > 0) this.tell({ type: 'status', text: `${dropped} queued prompts were dropped` });
    return dropped;
  }

  onSignal(signal: BackendSignal, raw: unknown): void {
    switch (signal.type) {
      case 'init':
        this.availableTools = signal.tools;
        return;
      case 'event':
        return this.tell(signal.event, raw);
      case 'activity':
        return this.#onActivity(signal.state);
      case 'result':
        return this.#onResult(signal);
      case 'tasks':
        if (signal.tasks.length === 0 && this.current === undefined) this.background.expect();
        return this.#journal.stateChanged();
      case 'mode':
        return this.#onMode(signal.permissionMode);
      case 'writing':
        return this.#journal.noteWriting(signal.text);
      case 'message_seen':
        if (signal.answer !== undefined) this.account.untold.note(signal.answer);
        return;
      case 'api_retry':
        return;
    }
  }

  async onAsk(ask: InputAsk, signal: AbortSignal): Promise<InputAnswer> {
    if (this.state.status === 'cancelled') return reports.denyAfterEnd;
    const granted = this.desk.answerByGrant(ask);
    if (granted !== undefined) return granted;
    // A subagent in the background may ask while no turn is running.
    if (this.current === undefined) this.#beginUnsolicited();
    return this.desk.ask(ask, signal);
  }

  onExit(exit: ProcessExit): void {
    const turn = this.current;
    // The process made way for the one that gets the prompt.
    if (turn !== undefined && !turn.isUnderWay) return;
    this.#turns.forget();
    this.account.forfeit();
    this.background.stop();
    if (turn !== undefined) return this.#endTurn(turn, reports.stopped(turn.stopReason, exit), []);
    this.#apply({ type: 'process_closed' });
    this.#journal.stateChanged();
  }

  #beginTurn(promptUuids: readonly string[], changes: TurnChanges, budget: 'begin' | 'goOn' = 'begin'): Turn {
    this.turnNumber += 1;
    this.lastUsedAt = this.#deps.clock.now();
    this.background.stop();
    this.engine.wake();
    const turn = new Turn({
      number: this.turnNumber,
      promptUuids,
      limits: { activeMs: changes.timeoutMs ?? this.options.timeoutMs, longestMs: this.#deps.longestRunMs },
      clock: this.#deps.clock,
      onLimit: () => void this.interrupt('time_limit', 'timeout'),
    });
    this.#turns.begin(turn);
    this.account[budget](this.options.maxBudgetUsd);
    return turn;
  }

  async #deliver(prompt: Prompt, turn: Turn, resumeAt?: string): Promise<void> {
    await this.engine.deliver({
      prompt,
      plan: this.#plan(resumeAt),
      isWanted: () => this.current === turn && turn.stopReason === undefined,
      onSent: () => (turn.isUnderWay = true),
    });
    // Stopped while Claude Code was starting; without a reason of its own it is the server that ends.
    if (!turn.isUnderWay) this.#endTurn(turn, reports.stopped(turn.stopReason ?? 'shutdown'), []);
  }

  /** The model can enter plan mode by itself: the next process must not forget it. */
  #onMode(permissionMode: string): void {
    if (!isPermissionMode(permissionMode) || permissionMode === this.options.permissionMode) return;
    this.adopt({ permissionMode });
    this.#seed.onChanged();
  }

  #plan(resumeAt?: string): LaunchPlan {
    return {
      options: this.options,
      grantedRules: this.desk.grantedRules,
      budgetLeftUsd: this.account.leftUsd(this.options.maxBudgetUsd),
      forkOf: this.#seed.forkOf,
      resumeAt,
    };
  }

  /** Claude Code begins turns by itself when a background task has finished. */
  #onActivity(state: 'running' | 'idle'): void {
    if (state === 'running' && this.current === undefined) this.#beginUnsolicited();
    if (state === 'idle' && this.current?.isUnsolicited === true)
      this.#endTurn(this.current, reports.nothingToReport, []);
  }

  #beginUnsolicited(): void {
    this.#apply({ type: 'turn_started' });
    this.#beginTurn([], {}, 'goOn').isUnderWay = true;
    this.tell({ type: 'status', text: 'Claude Code goes on by itself: background work has news' });
    if (this.account.refusal !== undefined) void this.interrupt('max_budget', 'interrupt');
  }

  #onResult(signal: Extract<BackendSignal, { type: 'result' }>): void {
    if (this.current === undefined && signal.unsolicited) this.#beginUnsolicited();
    const turn = this.current;
    if (turn !== undefined && this.#turns.isAnsweredBy(signal)) {
      const report = reports.judge(signal.report, turn.stopReason);
      return this.#endTurn(turn, reports.demandOutput(report, this.options), signal.promptUuids);
    }
    this.account.add(signal.report);
    this.tell({ type: 'status', text: 'A result arrived that belongs to no prompt of the current turn' });
  }

  /** Only the one that is meant: it may be over by now, and the turn of a reply under way. */
  #endTurn(turn: Turn | undefined, report: TurnReport, answered: readonly string[]): void {
    if (turn === undefined || this.current !== turn) return;
    // A subagent in the background outlives a turn that went well, and so does what it asks.
    if (report.outcome !== 'completed') this.desk.withdrawAll('withdrawn');
    const tooLate = this.#turns.end(answered);
    this.account.add(report);
    // What Claude Code goes on with by itself is paid from the same share.
    if (tooLate.length === 0 && this.engine.tasks.length === 0) this.account.end();
    this.lastUsedAt = this.#deps.clock.now();
    if (reports.isBroken(report)) this.dropQueue();
    const next = tooLate.length === 0 ? this.queue.next() : undefined;
    const promptQueued = next !== undefined || tooLate.length > 0;
    this.#apply({ type: 'turn_ended', outcome: report.outcome, promptQueued });
    if (report === reports.nothingToReport) this.#journal.stateChanged();
    else this.#journal.tellResult(report, turn, this.account.totals);
    this.#seed.onChanged();
    if (this.state.status === 'cancelled') return;
    if (tooLate.length > 0) this.#goOnWith(tooLate, turn.stopReason);
    else if (next !== undefined) this.run(next.prompt, next.changes);
    else if (this.desk.hasOpen) this.#beginUnsolicited();
    else this.engine.rest();
    if (this.desk.hasOpen) this.#waitForInputs();
  }

  #onSettled(othersOpen: boolean, answeredBy: AnsweredBy): void {
    const turn = this.current;
    if (answeredBy === 'timeout' && this.#deps.interruptOnTimeout && turn !== undefined)
      turn.stopReason ??= 'approval_timeout';
    if (!othersOpen) turn?.goOn();
    this.#apply({ type: 'input_settled', othersOpen });
  }

  #waitForInputs(): void {
    this.current?.pause();
    this.#apply({ type: 'input_requested' });
    this.#journal.stateChanged();
  }

  /** Prompts meant to steer a turn that was already over: Claude Code runs them as a turn of their own. */
  #goOnWith(promptUuids: readonly string[], stopReason: StopReason | undefined): void {
    this.#beginTurn(promptUuids, {}, 'goOn').isUnderWay = true;
    if (stopReason !== undefined) void this.interrupt(stopReason, 'interrupt');
  }

  tell(body: EventBody, raw?: unknown): void {
    this.#journal.tell(body, this.current ?? this.turnNumber, raw);
  }

  #apply(event: StateEvent): void {
    this.state = moved(this.state, event, { ...this.#deps, ...this.#seed });
  }
}
