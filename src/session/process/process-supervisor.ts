import type {
  BackendSignal,
  BackgroundTask,
  Launch,
  ProcessControls,
  ProcessExit,
  Prompt,
} from '../../core/claude/backend.js';
import { AppError, messageOf } from '../../core/errors.js';
import { isUuid } from '../../core/ids.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { Conversation } from './conversation.js';
import type { Delivery, LaunchPlan, ProcessOwner, Wanted } from './delivery.js';
import { LiveProcess } from './live-process.js';
import { refuseMovedFolders } from './moved-folders.js';
import { areSame, isWithin, mayTake, refuseAnother } from './reuse.js';
import { permitMs } from '../services/permits.js';
import type { SessionServices } from '../services/services.js';
import type { ClaimedSpare } from '../services/spare-pool.js';
import type { Slot, SlotHolder } from '../services/slots.js';

/** Gets prompts to a live Claude Code: reuses the session's process, replaces it, or starts one. */
export class ProcessSupervisor {
  readonly #services: SessionServices;
  readonly #holder: SlotHolder;
  readonly #conversation: Conversation;
  readonly #owner: ProcessOwner;
  /** Settles when it is known whether the last process has written what it answered. */
  #checked: Promise<void> = Promise.resolve();
  #process: LiveProcess | undefined;
  #slot: Slot | undefined;
  #stopIdleTimer: (() => void) | undefined;
  /** What needs the lock beside a process: a delivery moves from an old one to a new one, a change is being saved. */
  #needs = 0;
  /**
   * A prompt sent to a reused process or a spare that has not reacted yet: if that process has exited, a new one gets the
   * prompt.
   */
  #untaken: { readonly process: LiveProcess; readonly delivery: Delivery } | undefined;
  #hasBegun = false;
  /** A spare has exited before it took its prompt. */
  #hasLostSpare = false;
  /** How often the session was stopped: a start that still waits then must not begin. */
  #stops = 0;

  constructor(
    services: SessionServices,
    holder: SlotHolder,
    conversation: Conversation,
    owner: ProcessOwner,
  ) {
    this.#services = services;
    this.#holder = holder;
    this.#conversation = conversation;
    this.#owner = owner;
  }

  get isLive(): boolean {
    return this.#process !== undefined && !this.#process.isStopping;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#process?.tasks ?? [];
  }

  /** Control requests to the live process; undefined if there is none. Does not start one. */
  get controls(): ProcessControls | undefined {
    return this.isLive ? this.#process?.controls : undefined;
  }

  /** Changes that the live process already has, so that it is not replaced because of them. */
  adopt(changes: Partial<EffectiveOptions>): void {
    this.#process?.adopt(changes);
  }

  /** Takes a slot at once, or throws; the process may start later. */
  reserve(): Slot {
    return (this.#slot ??= this.#services.slots.reserve(this.#holder));
  }

  /** Returns an unused slot and releases the conversation. */
  yieldSlot(): void {
    if (this.#process === undefined && this.#slot !== undefined) {
      this.#services.slots.release(this.#slot);
      this.#slot = undefined;
    }
    void this.#releaseIfUnused();
  }

  /** Makes this server the only writer of the conversation until its process has exited. */
  hold(): Promise<void> {
    return this.#conversation.hold();
  }

  /** Changes what is on record about the session, while no other server can begin a turn of it. */
  async alone<T>(change: () => Promise<T>): Promise<T> {
    this.#needs += 1;
    try {
      await this.hold();
      await this.refuseForeignOwner();
      return await change();
    } finally {
      this.#needs -= 1;
      await this.#releaseIfUnused();
    }
  }

  /** Throws if another process has the conversation open: if both wrote, one branch would be lost. */
  refuseForeignOwner(): Promise<void> {
    return this.#conversation.refuseForeignOwner(this.#process?.pid);
  }

  /** Claude Code deletes old transcripts. Continuing without one would start a new conversation under the old id. */
  async refuseLostConversation(): Promise<void> {
    if (this.isLive || !this.#conversation.wasOnDisk || (await this.#conversation.exists())) return;
    throw new AppError('conversation_lost');
  }

  /** Sends the prompt, starting Claude Code if necessary; resolves once the process is ready. */
  async deliver(delivery: Delivery): Promise<void> {
    const { prompt, plan, recorded, isWanted, onSent, onUnsent, onReady } = delivery;
    this.wake();
    this.#needs += 1;
    try {
      const kept = this.#process;
      // Until it is awaited: a new process starts meanwhile. A live one could exit.
      recorded.catch(() => undefined);
      if (kept !== undefined) await recorded;
      const process = await this.#processFor(delivery);
      if (process === undefined) return onUnsent();
      if ((process === kept || process.isSpare) && plan.options.persistSession)
        this.#untaken = { process, delivery };
      await recorded;
      await this.#heldFor(process);
      if (!isWanted()) {
        await process.stop();
        return onUnsent();
      }
      this.#conversation.note(prompt.uuid);
      process.send(prompt);
      onSent();
      if (!process.isReady) await process.ready;
      onReady();
    } catch (error) {
      if (!this.#hasLostSpare) throw error;
      this.#hasLostSpare = false;
      await this.deliver(delivery);
    } finally {
      this.#needs -= 1;
      void this.#releaseIfUnused();
    }
  }

  /** Adds to the running turn; false if there is no process that may take it. */
  steer(prompt: Prompt, plan: Pick<LaunchPlan, 'grantedRules' | 'barredModes'>): boolean {
    if (this.#process === undefined || !this.isLive || !mayTake(this.#process, plan)) return false;
    this.#conversation.note(prompt.uuid);
    this.#process.send(prompt);
    return true;
  }

  /** Sends a control request to the live process, or to one that is resumed for it. */
  async ask<T>(plan: LaunchPlan, question: (controls: ProcessControls) => Promise<T>): Promise<T> {
    this.wake();
    const { slots } = this.#services;
    const stops = this.#stops;
    const process = await this.#processFor({ plan, isWanted: () => this.#stops === stops });
    if (process === undefined)
      throw new AppError(slots.isClosed ? 'shutting_down' : 'stopped_while_starting');
    await this.#heldFor(process);
    const answer = question(process.controls).then((value) => {
      process.confirm();
      return value;
    });
    // A process that exits or stalls during its start never answers; `ready` then rejects.
    return Promise.race([answer, process.ready.then(() => answer)]);
  }

  async interrupt(): Promise<void> {
    await this.#process?.interrupt();
  }

  async stop(): Promise<void> {
    this.#stops += 1;
    this.wake();
    if (this.#process === undefined) this.yieldSlot();
    else await this.#process.stop();
    // The server must not exit before the lock is released.
    await this.#releaseIfUnused();
  }

  /** Gives the slot to another session; the next reply resumes this one. */
  async evict(): Promise<void> {
    this.#slot = undefined;
    await this.stop();
  }

  /** The session is idle: remembers how far the transcript is ours, and closes the process after a while. */
  rest(): void {
    this.wake();
    if (!this.isLive) return this.yieldSlot();
    void this.#conversation.mark();
    const { clock, limits } = this.#services;
    this.#stopIdleTimer = clock.after(limits.idleProcessMs, () => {
      if (this.#holder.canEvict()) void this.stop();
      else this.rest();
    });
  }

  wake(): void {
    this.#stopIdleTimer?.();
    this.#stopIdleTimer = undefined;
  }

  async #processFor({ plan, isWanted, prompt }: Wanted): Promise<LiveProcess | undefined> {
    refuseMovedFolders(plan.options);
    const live = this.#process;
    if (live !== undefined) {
      const isReusable =
        !live.isStopping &&
        plan.resumeAt === undefined &&
        areSame(live.launch.options, plan.options) &&
        mayTake(live, plan) &&
        isWithin(live, plan);
      if (isReusable && !(await this.#conversation.hasChanged()) && !live.isStopping)
        return isWanted() ? live : undefined;
      if (!live.isStopping) refuseAnother(plan.options, 'process_fixed', this.#holder.id);
      await live.stop();
    }
    return this.#launch({ plan, isWanted, prompt });
  }

  async #launch({ plan, isWanted, prompt }: Wanted): Promise<LiveProcess | undefined> {
    const { permits, slots, clock, meter, spares } = this.#services;
    if (this.#hasBegun) refuseAnother(plan.options, 'session_not_kept', this.#holder.id);
    const slot = this.reserve();
    await slot.free;
    if (plan.options.persistSession) await this.#conversation.holdForStart();
    const release = await permits.acquire();
    let spare: ClaimedSpare | undefined;
    try {
      const launch = await this.#launchOf(plan, prompt);
      if (spares !== undefined) spare = await spares.claim(launch);
      if (!isWanted() || slots.isClosed) {
        release();
        await spare?.stop();
        // It may belong to the next start by now.
        if (this.#slot === slot && this.#needs <= 1) this.yieldSlot();
        return undefined;
      }
      // Again, because the start may have waited long for a permit.
      refuseMovedFolders(launch.options);
      const startedAt = clock.elapsed();
      this.#conversation.begin();
      const process = this.#open(launch, spare);
      const stopTimer = clock.after(permitMs, release);
      const begun = (isReady: boolean): void => {
        stopTimer();
        release();
        meter.measure({ what: 'process_ready', isReady, ms: clock.elapsed() - startedAt });
      };
      process.ready.then(
        () => {
          begun(true);
          spares?.follow(launch);
        },
        () => begun(false),
      );
      return process;
    } catch (error) {
      release();
      await spare?.stop();
      throw error;
    }
  }

  /** A process that may not write the conversation gets no prompt. */
  async #heldFor(process: LiveProcess): Promise<void> {
    await this.#conversation.held.catch(async (error: unknown) => {
      await process.stop();
      throw error;
    });
  }

  async #launchOf(plan: LaunchPlan, prompt: Prompt | undefined): Promise<Launch> {
    const { options, grantedRules, asksFirst } = plan;
    return {
      claudeSessionId: this.#conversation.claudeSessionId,
      from: await this.#origin(plan),
      options,
      grantedRules,
      asksFirst,
      budgetLeftUsd: plan.budgetLeftUsd(),
      // A process keeps the trace it was started in.
      trace: prompt?.trace,
    };
  }

  #open(launch: Launch, spare: ClaimedSpare | undefined): LiveProcess {
    const { backend, clock, logger, observers } = this.#services;
    const slot = this.#slot;
    return (this.#process = new LiveProcess({
      open: (host) => spare?.attach(host) ?? backend.open(launch, host),
      isSpare: spare !== undefined,
      launch,
      clock,
      logger,
      owner: this.#owner,
      observers: observers.map((observe) => observe(launch)),
      onSignal: (signal) => this.#follow(signal, launch),
      onExit: (process, exit) => this.#onExit(process, slot, exit),
    }));
  }

  /** A session without a transcript cannot be resumed, so it is started again under its id. */
  async #origin(plan: LaunchPlan): Promise<Launch['from']> {
    const { forkOf, resumeAt } = plan;
    const isOnDisk = !this.#conversation.isNew && (await this.#conversation.exists());
    if (isOnDisk) return { type: 'resume', at: resumeAt };
    if (forkOf === undefined) return { type: 'start' };
    return { type: 'fork', claudeSessionId: forkOf.claudeSessionId, at: forkOf.at };
  }

  /** Follows which messages of the conversation are ours, and under which id it continues. */
  #follow(signal: BackendSignal, { options }: Launch): void {
    this.#untaken = undefined;
    this.#hasBegun ||= signal.type === 'init';
    if (signal.type === 'message_seen') this.#noteMessage(signal);
    if (signal.type === 'result') this.#conversation.noteResult();
    // The id becomes part of a path, so only a UUID may pass.
    if (signal.type === 'init' && isUuid(signal.claudeSessionId))
      this.#conversation.moveTo(signal.claudeSessionId, options.persistSession);
  }

  #noteMessage({ uuid, answer }: Extract<BackendSignal, { type: 'message_seen' }>): void {
    this.#conversation.note(uuid);
    if (answer !== undefined && answer.agent === undefined) this.#conversation.noteAnswer(uuid);
  }

  #onExit(process: LiveProcess, slot: Slot | undefined, exit: ProcessExit): void {
    if (process.launch.options.persistSession) this.#checked = this.#checkAnswers();
    const untaken = this.#untaken?.process === process ? this.#untaken.delivery : undefined;
    this.#untaken = undefined;
    if (this.#process === process) this.#process = undefined;
    if (untaken?.isWanted() === true) {
      this.#owner.onReplaced();
      // The call that sent the prompt to a spare still waits for it to be ready.
      if (process.isReady) this.#deliverAgain(untaken, exit);
      else this.#hasLostSpare = true;
      return;
    }
    // A reply may have reserved a new slot while this process was exiting; that one stays.
    if (this.#slot === slot) this.yieldSlot();
    void this.#releaseIfUnused();
    this.#owner.onExit(exit);
  }

  /** Never rejects: the lock is released afterwards. */
  async #checkAnswers(): Promise<void> {
    try {
      if (await this.#conversation.hasForgotten()) await this.#owner.onForgotten();
    } catch (error) {
      this.#warn('the answers of a process that has exited could not be checked', error);
    }
  }

  async #releaseIfUnused(): Promise<void> {
    // The next server must know what the process has lost.
    await this.#checked;
    if (this.#process !== undefined || this.#slot !== undefined || this.#needs > 0) return;
    await this.#conversation
      .release()
      .catch((error: unknown) => this.#warn('the lock of a session could not be released', error));
  }

  #warn(message: string, error: unknown): void {
    const sessionId = this.#conversation.claudeSessionId;
    this.#services.logger.log('warn', message, { sessionId, reason: messageOf(error) });
  }

  /** The reused process had exited unnoticed: resumes the conversation and sends the prompt to the new process. */
  #deliverAgain(delivery: Delivery, exit: ProcessExit): void {
    this.deliver(delivery).catch((error: unknown) => {
      this.yieldSlot();
      const refusal = error instanceof AppError ? error : undefined;
      this.#owner.onExit({ ...exit, reason: messageOf(error), neverStarted: refusal !== undefined, refusal });
    });
  }
}
