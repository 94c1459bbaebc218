import type { Prompt } from '../core/claude/backend.js';
import { AppError, messageOf } from '../core/errors.js';
import type { SessionId } from '../core/ids.js';
import type { EffectiveOptions, OptionName } from '../core/options/index.js';
import type { TurnReport } from '../core/session/turn-result.js';
import { oneLine } from '../core/text/escape.js';
import type { SessionRecord } from '../state/record.js';
import { forkOriginOf, type ForkOrigin, type ResumedOptions } from './process/fork-origin.js';
import { SessionFeed, type MessageListener, type SessionListener } from './report/session-feed.js';
import type { SessionServices } from './services/services.js';
import type { SlotHolder } from './services/slots.js';
import { SessionView, type SessionSeed } from './session-view.js';
import { modesAfterBypass, withoutBypass } from './turn/after-bypass.js';
import { configure, type Configuration } from './turn/configure.js';
import { inspect, type Inspection } from './turn/inspect.js';
import { refuseWithoutCheckpoints, Rewind, type RewindPreview, type RewindTarget } from './turn/rewind.js';
import { TurnLoop } from './turn/turn-loop.js';
import { refuseRestart, refuseUnjudged, type TurnChanges } from './turn/turn-changes.js';
import { slowDiskMs, within } from './services/within.js';

export type { Inspection };

/** Notified of changes that outlive the process, and of every cost. */
export interface SessionOwner {
  onChanged(session: Session): void;
  /** The estimated cost of the running turn has changed, which happens often. */
  onCostChanged(session: Session): void;
  /** Resolves when the current state is on disk, or rejects. */
  save(session: Session): Promise<void>;
  onSpent(session: Session, report: TurnReport): void;
  /** Why the state of a session is not on disk; undefined if it is. */
  problemOf(sessionId: string): string | undefined;
  /** Throws if another server has run, cancelled or changed the session since it was read. The next call reads it again. */
  refuseContinued(session: Session): Promise<void>;
}

export type Words = Pick<Prompt, 'text' | 'attachments' | 'trace'>;

export type WhenBusy = 'reject' | 'queue' | 'steer';

/** The actions on one Claude Code conversation. Its readable state is in `view`. */
export class Session implements SlotHolder {
  readonly id: SessionId;
  readonly view: SessionView;
  /** When the record it was read from was written. */
  readonly recordedAt: number | undefined;
  readonly #seed: SessionSeed;
  readonly #services: SessionServices;
  readonly #owner: SessionOwner;
  readonly #feed: SessionFeed;
  readonly #turns: TurnLoop;
  /** Set while a reply checks whether it may run: a second reply in the same tick must lose. */
  #isClaimed = false;
  #hasToldLosses = false;
  /** Settles once it is clear whether that reply runs. */
  #claiming: Promise<void> | undefined;

  constructor(seed: SessionSeed, services: SessionServices, owner: SessionOwner) {
    this.id = seed.id;
    this.recordedAt = seed.recordedAt;
    this.#seed = seed;
    this.#services = services;
    this.#owner = owner;
    this.#feed = new SessionFeed(seed, services);
    this.#turns = new TurnLoop(
      {
        ...seed,
        sessionId: seed.id,
        holder: this,
        feed: this.#feed,
        onChanged: () => owner.onChanged(this),
        onCostChanged: () => owner.onCostChanged(this),
        onSpent: (report) => owner.onSpent(this, report),
        saved: () => this.#saved(),
      },
      services,
    );
    const problem = (): string | undefined => owner.problemOf(seed.id);
    this.view = new SessionView(seed, services, { turns: this.#turns, feed: this.#feed, problem });
  }

  subscribe(listener: SessionListener): () => void {
    return this.#feed.subscribe(listener);
  }

  /** Every message of processes that start from now on, redacted. */
  onMessage(listener: MessageListener): () => void {
    return this.#feed.onMessage(listener);
  }

  /**
   * Runs the first prompt. Resolves once Claude Code works on it; if Claude Code does not start, rejects and leaves
   * nothing behind. After `enough` it resolves while Claude Code starts, and how the turn ends tells the rest.
   */
  async start(words: Words, enough?: Promise<unknown>): Promise<void> {
    this.#turns.supervisor.reserve();
    this.#turns.facts.firstPrompt = oneLine(this.#services.redactor.redact(words.text), 200);
    await this.#turns.runFirst(this.#prompt(words), enough);
  }

  /** Runs another prompt, queues it, or adds it to the running turn. Changes nothing if it throws. */
  async reply(words: Words, whenBusy: WhenBusy, changes: TurnChanges): Promise<void> {
    // Otherwise this prompt could queue behind one that is about to be rejected, and never run.
    if (whenBusy !== 'reject') while (this.#claiming !== undefined) await this.#claiming;
    this.refuseReply(whenBusy);
    refuseRestart(changes, this.view);
    if (!this.#isBusy()) await this.#claim(changes);
    // A background task may have begun a turn of its own in the meantime.
    if (this.#isBusy()) return this.#replyWhileBusy(words, whenBusy, changes);
    this.#turns.run(this.#prompt(words), changes);
    // Acknowledged only when the turn is on record, or need not be.
    await this.#saved();
  }

  /** Throws if a reply would be refused, so that nothing is recorded about it. */
  refuseReply(whenBusy: WhenBusy): void {
    this.#refuseEnded();
    if (whenBusy === 'reject' && this.#isBusy()) throw this.#busy({ canQueue: true });
  }

  /** Changes the model or mode from now on, even during a turn. */
  async configure(changes: Configuration): Promise<void> {
    this.#refuseEnded();
    // A process elsewhere would not receive the change, and its server would write over it.
    await this.#alone(async () => {
      await this.#owner.refuseContinued(this);
      // Between two processes, neither would receive the change.
      if (this.#isClaimed || this.#turns.current?.isUnderWay === false) throw this.#busy();
      await configure(this.#turns, changes, this.#services.clock);
      this.#owner.onChanged(this);
      await this.#save().catch(() => undefined);
    });
  }

  /** Asks about tools again, even during a turn. Stops a process that cannot change its mode, and with it the turn. */
  async endBypass(): Promise<void> {
    const { options, state, isLive } = this.view;
    if (state.status === 'cancelled') return;
    this.#turns.amendQueue(withoutBypass);
    const modes = modesAfterBypass(options.permissionMode, isLive);
    if (modes.length === 0) return;
    const isStarting = this.#isClaimed || this.#turns.current?.isUnderWay === false;
    try {
      // A process that is about to start would not receive the change.
      if (isStarting) throw new Error('the process is starting');
      for (const permissionMode of modes)
        await configure(this.#turns, { permissionMode }, this.#services.clock);
    } catch {
      for (const permissionMode of modes) this.#turns.configure({ permissionMode });
      this.note('Stopped, because mode bypassPermissions was disabled');
      await this.halt();
    }
    this.#owner.onChanged(this);
  }

  /** What the live process reports about itself; empty if there is none. */
  inspect(): Promise<Inspection> {
    return inspect(this.#turns.supervisor.controls, this.#services);
  }

  /** Shows what restoring files would change. Without `dryRun`, then asks for approval and restores them. */
  async rewind(
    target: RewindTarget,
    { dryRun, options }: { readonly dryRun: boolean; readonly options?: EffectiveOptions | undefined },
  ): Promise<RewindPreview> {
    this.#refuseEnded();
    if (this.isAsRecorded) await this.#turns.supervisor.refuseForeignOwner();
    refuseWithoutCheckpoints(this.view.options);
    if (this.#isBusy() || !this.view.isAtRest) throw this.#busy();
    await this.#claim();
    if (this.#isBusy()) throw this.#busy();
    const rewind = new Rewind(this.#turns, this.#services.clock, target);
    this.#isClaimed = true;
    try {
      const preview = await rewind.preview(options).finally(() => this.#refuseEnded());
      if (dryRun || preview.files.length === 0) return preview;
      if (this.#turns.current !== undefined) throw this.#busy();
      rewind.begin(preview);
      return preview;
    } finally {
      this.#isClaimed = false;
      this.#turns.continue();
    }
  }

  /** Stops the running turn; the session stays usable. Returns how many queued prompts were dropped. */
  async interrupt(reason: 'interrupt' | 'time_limit' = 'interrupt'): Promise<number> {
    // The turn on record may still run in another process, and reporting it as interrupted would be false.
    if (this.isAsRecorded) await this.#turns.supervisor.refuseForeignOwner();
    const dropped = this.#turns.dropQueue();
    await this.#turns.interrupt(reason, reason === 'time_limit' ? 'timeout' : 'interrupt');
    if (dropped > 0) this.#owner.onChanged(this);
    return dropped;
  }

  /** Interrupts everything, including background work, and stops the process at once; a reply resumes. */
  async halt(): Promise<void> {
    await this.#turns.end('interrupt', 'interrupt');
    this.#feed.stateChanged();
  }

  /** Ends the session for good. Fails if the next server could not know that. */
  async cancel(): Promise<void> {
    if (this.view.state.status === 'cancelled') return this.#save();
    // If it still runs elsewhere, reporting it as cancelled would be false.
    await this.#alone(async () => {
      this.#turns.facts.apply({ type: 'cancelled' });
      await this.#turns.end('cancel', 'cancel');
      this.#feed.stateChanged();
      await this.#save();
    });
  }

  /** Stops the process because the server shuts down; the session can be resumed later. */
  async shutdown(): Promise<void> {
    await this.#turns.end('shutdown', 'shutdown');
  }

  /** The caller decided about the `given` options again; those that were `narrowed` are no longer what they were. */
  noteRestored(given: { readonly [K in OptionName]?: unknown }, narrowed: readonly OptionName[]): void {
    const { facts } = this.#turns;
    const missing = new Set([...facts.notRestored, ...narrowed]);
    facts.notRestored = [...missing].filter((key) => given[key] === undefined);
    if (!this.#hasToldLosses) for (const loss of this.#seed.losses ?? []) this.note(loss);
    this.#hasToldLosses = true;
  }

  /** Adds a status event about something that happened outside the session. */
  note(text: string): void {
    this.#turns.tell({ type: 'status', text });
  }

  /** Throws if its last change is not on disk. Writes it again, so that a later call may pass. */
  refuseWhileUnsaved(): void {
    const notSaved = this.#owner.problemOf(this.id);
    if (notSaved === undefined) return;
    this.#owner.onChanged(this);
    throw new AppError('not_saved', { problem: notSaved });
  }

  /** Keeps the session in memory, because someone looks at it. */
  touch(): void {
    this.#turns.facts.touch();
  }

  /** What a fork inherits. None inherits from a cancelled session, whose approvals have ended with it. */
  forkOrigin(at: string | undefined, resumed: ResumedOptions): ForkOrigin {
    this.#refuseEnded();
    return forkOriginOf({ ...this.#seed, view: this.view }, at, resumed);
  }

  /** The path of its transcript; undefined if there is none. */
  transcriptPath(): Promise<string | undefined> {
    return this.#seed.conversation.path();
  }

  /** Reads what forks of this session have spent on other servers. */
  refreshBudget(): Promise<void> {
    return this.#seed.budget.refresh();
  }

  /** Adopts what another server that has continued this session has on record. */
  catchUp({ totals, forgotAfter }: Pick<SessionRecord, 'totals' | 'forgotAfter'>): void {
    const { spending, facts } = this.#turns;
    if (totals.turns > spending.totals.turns) spending.totals = totals;
    if (forgotAfter !== undefined) facts.forgotAfter = Math.max(forgotAfter, facts.forgotAfter ?? 0);
  }

  /** At rest, and no reply is on its way to it. */
  get isForgettable(): boolean {
    return this.view.isAtRest && !this.#isClaimed && this.view.queued.length === 0;
  }

  /** Holds nothing beyond its record: reading a newer record loses nothing. */
  get isAsRecorded(): boolean {
    const { log, isLive, elsewhere } = this.view;
    if (this.recordedAt === undefined || !log.isUntouched || isLive) return false;
    return elsewhere !== undefined || this.isForgettable;
  }

  /** Another server may have continued it: nothing happens here, and no process holds the conversation. */
  get mayBeBehind(): boolean {
    return this.isForgettable && !this.view.isLive && this.view.options.persistSession;
  }

  get lastTouchedAt(): number {
    return this.#turns.facts.lastTouchedAt;
  }

  canEvict(): boolean {
    return this.isForgettable && this.view.options.persistSession;
  }

  /** Closes the process now instead of after a while, if nothing needs it; a reply resumes. */
  async closeIfIdle(): Promise<void> {
    if (this.canEvict()) await this.#turns.supervisor.stop();
  }

  async evict(): Promise<void> {
    await this.#turns.supervisor.evict();
  }

  describe(): string {
    return this.view.describe();
  }

  /** Saves the current state. A turn without a budget runs even if saving fails, and `notSaved` reports that. */
  async #saved(): Promise<void> {
    const isOptional = this.#turns.spending.reservedUsd === undefined;
    await this.#save().catch((error: unknown) => {
      if (!isOptional) throw error;
    });
  }

  /** Throws if the current state cannot be saved, or not in time. */
  async #save(): Promise<void> {
    const saving = this.#owner.save(this);
    await within(slowDiskMs, this.#services.clock, saving).catch((error: unknown) => {
      throw new AppError('not_saved', { problem: messageOf(error) });
    });
  }

  #isBusy(): boolean {
    return this.#turns.current !== undefined || this.#isClaimed;
  }

  /** Makes sure that the next turn may run, without changing anything yet. */
  #claim(changes: TurnChanges = {}): Promise<void> {
    this.#isClaimed = true;
    const claimed = this.#makeSure(changes).finally(() => {
      this.#isClaimed = false;
      this.#claiming = undefined;
    });
    this.#claiming = claimed.catch(() => undefined);
    return claimed;
  }

  async #makeSure(changes: TurnChanges): Promise<void> {
    const { supervisor } = this.#turns;
    try {
      supervisor.reserve();
      if (this.view.options.persistSession) await supervisor.hold();
      await this.#owner.refuseContinued(this);
      await supervisor.refuseForeignOwner();
      await supervisor.refuseLostConversation();
      this.#refuseEnded();
      refuseUnjudged(changes, this.view);
    } catch (error) {
      supervisor.yieldSlot();
      throw error;
    }
  }

  /** Makes a change that no other server may write over. Where nothing runs here, a turn may begin there at any time. */
  #alone(change: () => Promise<void>): Promise<void> {
    const { isLive, options } = this.view;
    const isOurs = isLive || this.#turns.current !== undefined || !options.persistSession;
    return isOurs ? change() : this.#turns.supervisor.alone(change);
  }

  #refuseEnded(): void {
    const { state, options, isLive } = this.view;
    if (state.status === 'cancelled') throw new AppError('session_cancelled', { sessionId: this.id });
    if (options.persistSession || isLive) return;
    throw new AppError('session_not_kept', { sessionId: this.id });
  }

  #busy({ canQueue = false } = {}): AppError {
    const [open] = this.view.openInputs;
    const openRequest = open && { requestId: open.requestId, kind: open.kind };
    const activity = this.#whyBusy();
    return new AppError('session_busy', { sessionId: this.id, activity, canQueue, openRequest });
  }

  #whyBusy(): string {
    if (this.#turns.current !== undefined) return this.describe();
    return this.#isClaimed ? 'another call is about to use it' : 'background work is running';
  }

  #replyWhileBusy(words: Words, whenBusy: WhenBusy, changes: TurnChanges): void {
    if (whenBusy !== 'reject') refuseUnjudged(changes, this.view);
    switch (whenBusy) {
      case 'reject':
        return this.refuseReply(whenBusy);
      case 'queue':
        return this.#turns.enqueue(this.#prompt(words), changes);
      case 'steer': {
        const prompt = this.#prompt(words, 'steer');
        // A turn whose prompt Claude Code has not started yet takes it from the queue when it has.
        if (!this.#turns.steer(prompt, changes)) this.#turns.enqueue(prompt, changes);
      }
    }
  }

  #prompt(words: Words, delivery: Prompt['delivery'] = 'turn'): Prompt {
    return { uuid: this.#services.ids.uuid(), ...words, delivery };
  }
}
