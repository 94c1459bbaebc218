import type { BackgroundTask, Prompt } from '../core/claude/backend.js';
import { AppError } from '../core/errors.js';
import type { IdSource, SessionId } from '../core/ids.js';
import type { InputRequest } from '../core/session/inputs.js';
import type { EffectiveOptions } from '../core/options/index.js';
import type { SessionState } from '../core/session/session-state.js';
import type { TraceContext } from '../core/trace.js';
import type { TurnReport, TurnResult } from '../core/session/turn-result.js';
import type { EventLog } from '../events/event-log.js';
import type { GrantRecord } from '../inputs/grants.js';
import type { SharedBudget } from '../state/shared-budget.js';
import { configure, type Configuration } from './turn/configure.js';
import type { Conversation } from './process/conversation.js';
import { inspect, type Inspection } from './turn/inspect.js';
import { SessionFeed, type MessageListener, type SessionListener } from './report/session-feed.js';
import type { SecretOption } from '../state/record-options.js';
import { refuseWithoutCheckpoints, Rewind, type RewindPreview } from './turn/rewind.js';
import type { SlotHolder } from './process/slots.js';
import type { Totals } from './budget/totals.js';
import type { TurnChanges } from './turn/turn.js';
import { TurnLoop } from './turn/turn-loop.js';
import type { Beginning, TurnLoopDependencies } from './turn/turn-loop-parts.js';

export interface SessionDependencies extends TurnLoopDependencies {
  readonly ids: IdSource;
  /** Called whenever something that outlives the process has changed. */
  readonly onChanged: (session: Session) => void;
  /** Called for every result that cost something. */
  readonly onSpent: (session: Session, report: TurnReport) => void;
}

/** What a session is made of: new, forked, or read back from its record. */
export interface SessionSeed extends Beginning {
  readonly id: SessionId;
  readonly createdAt: number;
  readonly log: EventLog;
  /** Read back from its record: a process of an earlier server may still run it. */
  readonly isRestored?: boolean;
  /** When that record was written. */
  readonly recordedAt?: number;
  /** Begun by somebody else: its history is not ours to show. */
  readonly isForeign?: boolean | undefined;
  /** Options that were not kept on disk, because they may be secret. */
  readonly withheld?: readonly SecretOption[] | undefined;
}

/** A prompt as it was given. */
type Words = Pick<Prompt, 'text' | 'trace'>;

export type { Inspection };

export type WhenBusy = 'reject' | 'queue' | 'steer';

/** One Claude Code conversation, as the rest of the server sees it: what it is, and what can be done to it. */
export class Session implements SlotHolder {
  readonly id: SessionId;
  readonly createdAt: number;
  readonly conversation: Conversation;
  readonly pot: SharedBudget;
  readonly isForeign: boolean;
  readonly recordedAt: number | undefined;
  readonly #deps: SessionDependencies;
  readonly #journal: SessionFeed;
  readonly #loop: TurnLoop;
  readonly #isRestored: boolean;
  /** Options that it had before the server was started anew, and has not been given again. */
  withheld: readonly SecretOption[];
  /** Set while a reply checks whether it may run: a second reply in the same tick must lose. */
  #isClaimed = false;
  /** Settled when it is known whether that reply runs. */
  #claiming: Promise<void> | undefined;

  constructor(seed: SessionSeed, deps: SessionDependencies) {
    this.id = seed.id;
    this.createdAt = seed.createdAt;
    this.conversation = seed.conversation;
    this.pot = seed.pot;
    this.isForeign = seed.isForeign ?? false;
    this.recordedAt = seed.recordedAt;
    this.withheld = seed.withheld ?? [];
    this.#isRestored = seed.isRestored ?? false;
    this.#deps = deps;
    this.#journal = new SessionFeed(seed.log, deps);
    this.#loop = new TurnLoop(
      {
        ...seed,
        sessionId: seed.id,
        holder: this,
        journal: this.#journal,
        onChanged: () => deps.onChanged(this),
        onSpent: (report) => deps.onSpent(this, report),
      },
      deps,
    );
  }

  get state(): SessionState {
    return this.#loop.state;
  }

  get turnNumber(): number {
    return this.#loop.turnNumber;
  }

  get totals(): Totals {
    return this.#loop.account.totals;
  }

  get options(): EffectiveOptions {
    return this.#loop.options;
  }

  /** The options as they may be shown. */
  get shownOptions(): EffectiveOptions {
    return this.#deps.redactor.redactValue(this.options);
  }

  /** As it may be shown. */
  get title(): string | undefined {
    const { title } = this.options;
    return title && this.#deps.redactor.redact(title);
  }

  get availableTools(): readonly string[] {
    return this.#loop.availableTools;
  }

  get lastUsedAt(): number {
    return this.#loop.lastUsedAt;
  }

  get log(): EventLog {
    return this.#journal.log;
  }

  get lastResult(): TurnResult | undefined {
    return this.#journal.lastResult;
  }

  get lastResultSeq(): number {
    return this.#journal.lastResultSeq;
  }

  get grants(): GrantRecord {
    return this.#loop.desk.grants.toRecord();
  }

  get openInputs(): readonly InputRequest[] {
    return this.#deps.broker.openFor(this.id);
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#loop.engine.tasks;
  }

  get queuedPrompts(): number {
    return this.#loop.queue.length;
  }

  /** Nothing more can happen to it unless somebody acts. */
  get isAtRest(): boolean {
    const { status } = this.state;
    if (status === 'running' || status === 'waiting') return false;
    return this.tasks.length === 0 && !this.#loop.background.expectsTurn;
  }

  /** Whether its next prompt goes to a process that is alive already. */
  get isLive(): boolean {
    return this.#loop.engine.isLive;
  }

  /** Of its Claude Code, while there is one. */
  get pid(): number | undefined {
    return this.#loop.engine.pid;
  }

  activity(): string | undefined {
    return this.#journal.activity();
  }

  /** The text that is being written, as far as it has come; only with includePartialMessages. */
  get writing(): string {
    return this.#journal.writing;
  }

  subscribe(listener: SessionListener): () => void {
    return this.#journal.subscribe(listener);
  }

  /** Every message of a Claude Code that starts from now on, without its secrets. */
  onMessage(listener: MessageListener): () => void {
    return this.#journal.onMessage(listener);
  }

  /** Runs the first prompt. Resolves when Claude Code works on it; rejects, leaving nothing, when it did not start. */
  async start(text: string, trace?: TraceContext): Promise<void> {
    this.#loop.engine.reserve();
    await this.#loop.runFirst(this.#prompt({ text, trace }));
    this.#deps.onChanged(this);
  }

  /** Runs another prompt, or queues it, or adds it to the running turn. Changes nothing when it throws. */
  async reply(text: string, whenBusy: WhenBusy, changes: TurnChanges, trace?: TraceContext): Promise<void> {
    // Whoever is put behind a prompt that will not run would be told that all is well, and never be heard.
    if (whenBusy !== 'reject' && this.#claiming !== undefined) {
      await this.#claiming;
      return this.reply(text, whenBusy, changes, trace);
    }
    const words = { text, trace };
    this.refuseReply(whenBusy);
    if (!this.#isBusy()) await this.#claim();
    // A background task may have begun a turn of its own in the meantime.
    if (this.#isBusy()) return this.#replyWhileBusy(words, whenBusy, changes);
    this.#loop.run(this.#prompt(words), changes);
  }

  /** Asked before anything is written down of a prompt that would not be taken. */
  refuseReply(whenBusy: WhenBusy): void {
    this.#refuseEnded();
    if (whenBusy === 'reject' && this.#isBusy()) throw this.#busy({ canQueue: true });
  }

  /** Changes model or mode from now on, also in the middle of a turn. */
  async configure(changes: Configuration): Promise<void> {
    this.#refuseEnded();
    // Told to neither the process that goes nor the one that comes, it would be lost.
    if (this.#isClaimed || this.#loop.current?.isUnderWay === false) throw this.#busy();
    await configure(this.#loop, changes, this.#deps.clock);
    this.#deps.onChanged(this);
  }

  /** What the live process tells of itself; nothing when there is none. */
  inspect(): Promise<Inspection> {
    return inspect(this.#loop.engine.controls, this.#deps);
  }

  /** What restoring files would change; without `dryRun` it is then asked for, and done when somebody allows it. */
  async rewind(
    messageId: string,
    { dryRun, options }: { readonly dryRun: boolean; readonly options?: EffectiveOptions | undefined },
  ): Promise<RewindPreview> {
    this.#refuseEnded();
    refuseWithoutCheckpoints(this.options);
    if (this.#isBusy() || !this.isAtRest) throw this.#busy();
    await this.#claim();
    if (this.#isBusy()) throw this.#busy();
    const rewind = new Rewind(this.#loop, this.#deps.clock, messageId);
    this.#isClaimed = true;
    try {
      const preview = await rewind.preview(options);
      if (dryRun || preview.files.length === 0) return preview;
      this.#refuseEnded();
      if (this.#loop.current !== undefined) throw this.#busy();
      rewind.begin(preview);
      return preview;
    } finally {
      this.#isClaimed = false;
      this.#loop.goOn();
    }
  }

  /** Stops the running turn; the session stays usable. Returns how many queued prompts were dropped. */
  async interrupt(reason: 'interrupt' | 'time_limit' = 'interrupt'): Promise<number> {
    // By its record it was in a turn, which may run on elsewhere: to call it interrupted would be a lie.
    if (this.isAsRecorded && this.state.outcome === 'interrupted')
      await this.#loop.engine.refuseForeignOwner();
    const dropped = this.#loop.dropQueue();
    await this.#loop.interrupt(reason, reason === 'time_limit' ? 'timeout' : 'interrupt');
    return dropped;
  }

  /** Interrupts what runs, in the background too, and ends the process at once; a reply resumes. */
  async halt(): Promise<void> {
    await this.#loop.end('interrupt', 'interrupt');
    this.#journal.stateChanged();
  }

  /** Ends the session for good. */
  async cancel(): Promise<void> {
    if (this.state.status === 'cancelled') return;
    // Cancelled here while it runs on elsewhere would be a lie.
    if (this.#isRestored) await this.#loop.engine.refuseForeignOwner();
    this.#loop.cancel();
    await this.#loop.end('cancel', 'cancel');
    this.#journal.stateChanged();
    this.#deps.onChanged(this);
  }

  /** Ends the process because the server ends; the session can be resumed later. */
  async shutdown(): Promise<void> {
    await this.#loop.end('shutdown', 'shutdown');
  }

  /** Something about the session that only those around it know. */
  note(text: string): void {
    this.#loop.tell({ type: 'status', text });
  }

  touch(): void {
    this.#loop.touch();
  }

  /** At rest, and no reply is on its way to it. */
  get isForgettable(): boolean {
    return this.isAtRest && !this.#isClaimed && this.queuedPrompts === 0;
  }

  /** Nothing but what its record said: it can be read again from a newer one, and nothing is lost. */
  get isAsRecorded(): boolean {
    return this.recordedAt !== undefined && this.log.head === 0 && !this.isLive && this.isForgettable;
  }

  /** Another server may have gone on with it: what it has used there counts here too. */
  catchUp(totals: Totals): void {
    if (totals.turns > this.totals.turns) this.#loop.account.totals = totals;
  }

  canEvict(): boolean {
    return this.isForgettable && this.options.persistSession;
  }

  async evict(): Promise<void> {
    await this.#loop.engine.evict();
  }

  describe(): string {
    const [input] = this.openInputs;
    return input === undefined
      ? (this.activity() ?? this.state.status)
      : `waits for an answer to ${input.shown.toolName}`;
  }

  #isBusy(): boolean {
    return this.#loop.current !== undefined || this.#isClaimed;
  }

  /** Makes sure that the next turn may run, without changing anything yet. */
  #claim(): Promise<void> {
    this.#isClaimed = true;
    const claimed = this.#makeSure().finally(() => {
      this.#isClaimed = false;
      this.#claiming = undefined;
    });
    this.#claiming = claimed.catch(() => undefined);
    return claimed;
  }

  async #makeSure(): Promise<void> {
    const { engine } = this.#loop;
    try {
      engine.reserve();
      if (this.options.persistSession) await engine.hold();
      await engine.refuseForeignOwner();
      await engine.refuseLostConversation();
      this.#refuseEnded();
    } catch (error) {
      engine.yieldSlot();
      throw error;
    }
  }

  #refuseEnded(): void {
    if (this.state.status === 'cancelled') throw new AppError('session_cancelled', { sessionId: this.id });
    if (this.options.persistSession || this.isLive) return;
    throw new AppError('session_not_kept', { sessionId: this.id });
  }

  #busy({ canQueue } = { canQueue: false }): AppError {
    return new AppError('session_busy', { sessionId: this.id, activity: this.describe(), canQueue });
  }

  #replyWhileBusy(words: Words, whenBusy: WhenBusy, changes: TurnChanges): void {
    switch (whenBusy) {
      case 'reject':
        return this.refuseReply(whenBusy);
      case 'queue':
        return this.#loop.queue.add(this.#prompt(words), changes);
      case 'steer':
        if (!this.#loop.steer(this.#prompt(words, 'steer')))
          this.#loop.queue.add(this.#prompt(words), changes);
    }
  }

  #prompt(words: Words, delivery: Prompt['delivery'] = 'turn'): Prompt {
    return { uuid: this.#deps.ids.uuid(), ...words, delivery };
  }
}
