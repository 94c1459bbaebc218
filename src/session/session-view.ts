import type { BackgroundTask } from '../core/claude/backend.js';
import type { GateDecision } from '../core/claude/gate.js';
import type { SessionId } from '../core/ids.js';
import type { EffectiveOptions, OptionName } from '../core/options/index.js';
import type { InputRequest } from '../core/session/inputs.js';
import type { SessionEvent } from '../core/session/events.js';
import type { SessionState } from '../core/session/session-state.js';
import type { TurnResult } from '../core/session/turn-result.js';
import type { EventLog } from '../events/event-log.js';
import type { GrantRecord } from '../inputs/grants.js';
import { quoteCode, quoteWords, toolLabel } from '../inputs/quote.js';
import type { SessionRecord } from '../state/record.js';
import type { SettledRequest } from './approval/session-approvals.js';
import type { Totals } from './budget/totals.js';
import { heldBytes } from './report/held-bytes.js';
import type { PromptNote } from './report/prompt-notes.js';
import type { SessionFeed } from './report/session-feed.js';
import type { SessionServices } from './services/services.js';
import { forgotten } from './report/reports.js';
import { cutTurnOf, type Beginning, type CutTurn } from './turn/beginning.js';
import type { TurnLoop } from './turn/turn-loop.js';

/** The initial values of a session: new, forked, or restored from its record. */
export interface SessionSeed extends Beginning {
  readonly id: SessionId;
  readonly createdAt: number;
  readonly log: EventLog;
  /** Takes every event to disk; undefined for a session that is not persisted. */
  readonly keep?: ((event: SessionEvent) => void) | undefined;
  /** Restored from its record: a process of an earlier server may still run it. */
  readonly isRestored?: boolean;
  /** When that record was written. */
  readonly recordedAt?: number;
  /** The process id of the server that runs its open turn. */
  readonly elsewhere?: number | undefined;
  /** What its record contained and cannot be trusted, in sentences for the caller. */
  readonly losses?: readonly string[] | undefined;
  /** The result of its last turn on an earlier server. */
  readonly lastResult?: TurnResult | undefined;
  /** Started by someone else: its history is not ours to show. */
  readonly isForeign?: boolean | undefined;
}

/** Everything that can be read of a session: always current, and reading changes nothing. */
export class SessionView {
  readonly id: SessionId;
  readonly createdAt: number;
  readonly isForeign: boolean;
  readonly log: EventLog;
  readonly #seed: SessionSeed;
  readonly #turns: TurnLoop;
  readonly #feed: SessionFeed;
  readonly #services: SessionServices;
  readonly #problem: () => string | undefined;

  constructor(
    seed: SessionSeed,
    services: SessionServices,
    parts: {
      readonly turns: TurnLoop;
      readonly feed: SessionFeed;
      readonly problem: () => string | undefined;
    },
  ) {
    this.#problem = parts.problem;
    this.id = seed.id;
    this.createdAt = seed.createdAt;
    this.isForeign = seed.isForeign ?? false;
    this.log = seed.log;
    this.#seed = seed;
    this.#turns = parts.turns;
    this.#feed = parts.feed;
    this.#services = services;
  }

  /** It comes from an earlier server, whose events and open requests ended with it. */
  get isRestored(): boolean {
    return this.#seed.isRestored ?? false;
  }

  /** Started by someone else, and the operator does not let callers read it. */
  get isUnread(): boolean {
    return this.isForeign && this.isRestored && this.log.isUntouched && this.lastResult === undefined;
  }

  get state(): SessionState {
    return this.#turns.facts.state;
  }

  get turnNumber(): number {
    return this.#turns.facts.turnNumber;
  }

  get lastUsedAt(): number {
    return this.#turns.facts.lastUsedAt;
  }

  /** Redacted, unlike `options`. */
  get title(): string | undefined {
    const { title } = this.options;
    return title && this.#services.redactor.redact(title);
  }

  /** Redacted. Undefined for a session that an earlier server started. */
  get firstPrompt(): string | undefined {
    const { firstPrompt } = this.#turns.facts;
    return firstPrompt && this.#services.redactor.redact(firstPrompt);
  }

  get options(): EffectiveOptions {
    return this.#turns.facts.options;
  }

  /** Options from before a restart that are no longer in force, and that the caller has not passed again. */
  get notRestored(): readonly OptionName[] {
    return this.#turns.facts.notRestored;
  }

  /** All of it may be megabytes. Lists show the folder only. */
  get shownOptions(): EffectiveOptions {
    return this.#services.redactor.redactOnce(this.options);
  }

  /** The folder it works in, redacted. */
  get folder(): string {
    return this.#services.redactor.redact(this.options.cwd);
  }

  get availableTools(): readonly string[] {
    return this.#turns.facts.availableTools;
  }

  get totals(): Totals {
    return this.#turns.spending.totals;
  }

  /** The responses of the model so far, including those in the running turn. */
  get modelTurns(): number {
    return this.totals.turns + (this.#turns.current?.answers ?? 0);
  }

  get lastResult(): TurnResult | undefined {
    return this.#feed.lastResult;
  }

  /** The sequence number of the event that announced `lastResult`. */
  get lastResultSeq(): number {
    return this.#feed.lastResultSeq;
  }

  get openInputs(): readonly InputRequest[] {
    return this.#services.broker.openFor(this.id);
  }

  /** The open request with this id, or whose id begins like this. */
  openInput(start: string): InputRequest | undefined {
    const requestId = this.#services.broker.complete(start);
    return this.openInputs.find((input) => input.requestId === requestId);
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#turns.tasks;
  }

  /** The latest prompts that it has received here, oldest first. */
  get prompts(): readonly PromptNote[] {
    return this.#feed.prompts.list;
  }

  /** Roughly what it takes in memory, besides its events. */
  get heldBytes(): number {
    const { prompts, lastResult } = this.#feed;
    return heldBytes({ options: this.options, kept: this.#turns.queue.kept, prompts, lastResult });
  }

  /** Prompts that wait for the running turn, redacted. */
  get queued(): readonly string[] {
    return this.#redacted(this.#turns.queue.texts);
  }

  /** The options that a prompt finds which waits as well: those before it can change them. */
  get optionsAhead(): EffectiveOptions {
    const changed = this.#turns.queue.changes.findLast(({ options }) => options !== undefined);
    return changed?.options ?? this.options;
  }

  /** Prompts that waited when an earlier server stopped, redacted. They run only if the caller sends them again. */
  get kept(): readonly string[] {
    return this.#redacted(this.#turns.queue.kept);
  }

  /** The prompt whose turn ended with its server, if no turn has begun since. */
  get cutTurn(): CutTurn | undefined {
    const { cutTurn } = this.#turns.facts;
    return cutTurn && this.#saved(cutTurn);
  }

  /** What the next server must know about the running turn. */
  get openTurn(): SessionRecord['openTurn'] {
    const { current, spending } = this.#turns;
    if (current === undefined) return undefined;
    const { reservedUsd } = spending;
    const { startedBy } = current;
    return {
      turn: current.number,
      startedAt: current.startedAt,
      ...(startedBy === undefined ? {} : { startedBy }),
      ...this.#saved(cutTurnOf(current)),
      ...(reservedUsd === undefined ? {} : { reservedUsd }),
    };
  }

  /** The most that the running turn may have cost since Claude Code last reported. */
  get openCostUsd(): number | undefined {
    const { current, spending } = this.#turns;
    return current?.callsModel === true ? spending.unreported.afterKillUsd : undefined;
  }

  /** What is not on disk, and why: the session, or answers of Claude. */
  get notSaved(): string | undefined {
    return this.unsaved ?? this.forgotten;
  }

  /** Why the session is not on disk as it is; undefined if it is. */
  get unsaved(): string | undefined {
    return this.#problem();
  }

  /** The turn after which Claude Code has forgotten answers. Callers have heard of it when the turn after the next begins. */
  get forgotAfter(): number | undefined {
    const { forgotAfter, turnNumber } = this.#turns.facts;
    return forgotAfter === undefined || turnNumber > forgotAfter + 1 ? undefined : forgotAfter;
  }

  /** That Claude no longer knows its last answers; undefined if it does. */
  get forgotten(): string | undefined {
    return this.forgotAfter === undefined ? undefined : forgotten;
  }

  /** The last requests that were settled. */
  get settled(): readonly SettledRequest[] {
    return this.#turns.approvals.settled;
  }

  /** The process id of another server that runs a turn of this session. */
  get elsewhere(): number | undefined {
    return this.#turns.current === undefined ? this.#seed.elsewhere : undefined;
  }

  /** Requests that ended with an earlier server, until another turn begins. */
  get voided(): readonly string[] {
    return this.#turns.facts.voided;
  }

  /** Nothing more happens unless someone acts. */
  get isAtRest(): boolean {
    return this.#turns.isAtRest;
  }

  /** Claude Code is about to begin a turn, because a background task has ended. */
  get expectsTurn(): boolean {
    return this.#turns.background.expectsTurn;
  }

  /** Its next prompt goes to a process that is already running. */
  get isLive(): boolean {
    return this.#turns.supervisor.isLive;
  }

  /** No other server can run or change it now. */
  get isHeld(): boolean {
    return this.#seed.conversation.isHeld;
  }

  /** The process id of its Claude Code, while there is one. */
  get pid(): number | undefined {
    return this.#turns.supervisor.pid;
  }

  /** Claude Code's id of the conversation; differs from ours after `/clear`. */
  get claudeSessionId(): string {
    return this.#seed.conversation.claudeSessionId;
  }

  /** The budget it shares with its forks, by the id of the session that started it. */
  get budgetId(): string {
    return this.#seed.budget.id;
  }

  /** What unknown members of its own budget had spent. */
  get spentBeforeUsd(): number | undefined {
    const { id, beforeUsd } = this.#seed.budget;
    return id === this.id && beforeUsd > 0 ? beforeUsd : undefined;
  }

  get grants(): GrantRecord {
    return this.#turns.approvals.grants.toRecord();
  }

  /** Prompts as they may be written. */
  #saved(turn: CutTurn): CutTurn {
    const [prompts, files] = [this.#redacted(turn.prompts), this.#redacted(turn.attachments ?? [])];
    const isWhole =
      prompts.every((text, index) => text === turn.prompts[index]) &&
      files.every((path, index) => path === turn.attachments?.[index]);
    return {
      ...turn,
      prompts,
      ...(files.length === 0 ? {} : { attachments: files }),
      ...(isWhole ? {} : { isRedacted: true }),
    };
  }

  #redacted(texts: readonly string[]): readonly string[] {
    return this.#services.redactor.redactOnce(texts);
  }

  /** What Claude is doing right now, in one line. */
  activity(): string | undefined {
    return this.#feed.activity() ?? (this.state.status === 'running' ? 'waiting for the model' : undefined);
  }

  /** How Claude's own Read of a file would be judged in this session, with these options. */
  judgeRead(path: string, options: EffectiveOptions): GateDecision {
    const { permissionMode } = options;
    const call = { toolUseId: '', toolName: 'Read', input: { file_path: path }, permissionMode };
    return this.#turns.approvals.decide(call, options);
  }

  /** The text being written so far; only with includePartialMessages. */
  get writing(): string {
    return this.#feed.writing;
  }

  /** How a form names the session and its folder. */
  forPeople(): { readonly session: string; readonly folder: string } {
    const cwd = this.#services.redactor.maskForApprover(this.options.cwd);
    const title = this.title === undefined ? '' : `${quoteWords(this.title, 80)} `;
    return { session: `${title}${this.id.slice(0, 8)}, folder ${quoteCode(cwd, 200)}`, folder: cwd };
  }

  /** What the session is busy with, in one line. */
  describe(): string {
    const [input] = this.openInputs;
    return input === undefined
      ? (this.activity() ?? this.state.status)
      : `waiting for an answer to ${toolLabel(input.shown.toolName)}`;
  }
}
