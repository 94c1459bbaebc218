import type {
  BackendHost,
  BackendSignal,
  ProcessExit,
  Prompt,
  PromptState,
} from '../../core/claude/backend.js';
import type { GateDecision, ToolCall } from '../../core/claude/gate.js';
import { isPermissionMode } from '../../core/options/tools.js';
import type { InputAnswer, InputAsk } from '../../core/session/inputs.js';
import type { ProcessOwner } from '../process/delivery.js';
import * as reports from '../report/reports.js';
import type { TurnLoopSeed } from './beginning.js';
import type { TurnLoop } from './turn-loop.js';
import type { TurnChanges } from './turn-changes.js';

/** Routes what the processes of one session report and request to the part of the session that handles it. */
export class ProcessHost implements ProcessOwner {
  readonly #turns: TurnLoop;
  readonly #seed: TurnLoopSeed;
  /** How many tasks run in the background. */
  #tasks = 0;

  constructor(turns: TurnLoop, seed: TurnLoopSeed) {
    this.#turns = turns;
    this.#seed = seed;
  }

  get onMessage(): BackendHost['onMessage'] {
    return this.#seed.feed.passOn;
  }

  judge(call: ToolCall): GateDecision {
    return this.#turns.approvals.judge(call);
  }

  /** Handles a request: denied after a cancel, answered without asking, or passed to the approvers. */
  async onAsk(bare: InputAsk, signal: AbortSignal): Promise<InputAnswer> {
    const { facts, approvals, current } = this.#turns;
    if (facts.state.status === 'cancelled') return reports.denyAfterEnd;
    const ask = approvals.describe(bare);
    const granted = approvals.answerByGrant(ask);
    if (granted !== undefined) return granted;
    // A background subagent may ask while no turn is running.
    if (current === undefined) this.#turns.beginUnsolicited();
    return approvals.ask(ask, signal);
  }

  onSignal(signal: BackendSignal, raw: unknown): void {
    const turns = this.#turns;
    switch (signal.type) {
      case 'init':
        turns.facts.availableTools = signal.tools;
        // No other sign of a turn that a subagent has caused: to Claude Code, the work has never stopped.
        if (turns.current === undefined) turns.beginUnsolicited();
        return turns.spending.unreported.noteModel(signal.model);
      case 'event':
        return turns.onEvent(signal.event, raw);
      case 'activity':
        return this.#onActivity(signal.state);
      case 'prompt':
        return this.#onPrompt(signal.uuid, signal.state);
      case 'result':
        // It has everything that Claude Code has cost so far.
        turns.spending.unreported.clear();
        return turns.onResult(signal);
      case 'tasks':
        this.#noteTasks(signal.tasks.length);
        return this.#seed.feed.stateChanged();
      case 'mode':
        return this.#onMode(signal.permissionMode);
      case 'writing':
        return this.#seed.feed.noteWriting(signal.text);
      case 'message_seen':
        if (signal.answer !== undefined) turns.onAnswer(signal.answer);
        return;
      case 'api_retry':
        return;
    }
  }

  async onForgotten(): Promise<void> {
    const { facts, current } = this.#turns;
    // The turn for which another process was started comes after.
    facts.forgotAfter = current === undefined ? facts.turnNumber : facts.turnNumber - 1;
    this.#turns.tell({ type: 'status', text: reports.forgotten });
    await this.#seed.saved().catch(() => undefined);
  }

  onReplaced(): void {
    const { spending, facts, current } = this.#turns;
    spending.passOn(facts.options.maxBudgetUsd);
    if (current !== undefined) this.#turns.endUnpaid(current);
  }

  onExit(exit: ProcessExit): void {
    // A new process has replaced this one and gets the prompt.
    if (this.#turns.current?.isUnderWay === false) return this.onReplaced();
    this.#turns.onExit(exit);
  }

  #onActivity(state: 'running' | 'idle'): void {
    const turns = this.#turns;
    if (state === 'idle') {
      turns.onIdle();
      turns.background.onIdle();
    } else if (turns.current === undefined) turns.beginUnsolicited();
  }

  /** Claude Code begins a turn when a background task ends, also while others go on. */
  #noteTasks(tasks: number): void {
    const { background, current } = this.#turns;
    if (tasks === 0 || tasks < this.#tasks) background.note({ isInTurn: current !== undefined });
    this.#tasks = tasks;
  }

  #onPrompt(uuid: string, state: PromptState): void {
    const { current: turn, supervisor, queue } = this.#turns;
    if (turn?.promptUuids.has(uuid) !== true) return;
    turn.advance(state);
    if (state !== 'started') return;
    // The interrupt has ended only the work that Claude Code did before this prompt.
    if (turn.stopReason !== undefined) supervisor.interrupt().catch(() => undefined);
    else queue.join(turn.number, (prompt, changes) => this.#joins(prompt, changes));
  }

  /** A prompt that must not do any more what this turn may gets a turn of its own. */
  #joins(prompt: Prompt, changes: TurnChanges): boolean {
    return changes.later?.isDue() !== true && this.#turns.steer(prompt, changes);
  }

  /** The model can enter plan mode by itself, and the next process must start in it. */
  #onMode(permissionMode: string): void {
    const { options } = this.#turns.facts;
    if (!isPermissionMode(permissionMode) || permissionMode === options.permissionMode) return;
    this.#turns.adopt({ permissionMode });
    this.#seed.onChanged();
  }
}
