import type {
  Backend,
  BackendHost,
  BackgroundTask,
  Launch,
  ProcessControls,
  ProcessExit,
  Prompt,
} from '../../core/claude/backend.js';
import type { Clock } from '../../core/clock.js';
import { AppError, messageOf } from '../../core/errors.js';
import { isUuid } from '../../core/ids.js';
import type { Meter } from '../../core/observability/measurements.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { Conversation } from './conversation.js';
import { LiveProcess } from './live-process.js';
import type { Permits } from './permits.js';
import type { ForkOrigin } from './fork-origin.js';
import type { Slot, SlotHolder, Slots } from './slots.js';

export interface SupervisorDependencies {
  readonly backend: Backend;
  readonly slots: Slots;
  readonly permits: Permits;
  readonly clock: Clock;
  readonly meter: Meter;
  /** An idle process is closed after this; the next reply resumes. */
  readonly idleProcessMs: number;
}

/** What the next prompt needs of the process that runs it. */
export interface LaunchPlan {
  readonly options: EffectiveOptions;
  readonly grantedRules: readonly string[];
  readonly budgetLeftUsd: number | undefined;
  /** The session to branch off, for the first launch of a fork. */
  readonly forkOf: ForkOrigin | undefined;
  /** Where to go on in the conversation; undefined = at its end. */
  readonly resumeAt: string | undefined;
}

/** A prompt on its way to a process. */
export interface Delivery {
  readonly prompt: Prompt;
  readonly plan: LaunchPlan;
  /** False when the turn was stopped while Claude Code was still starting. */
  readonly isWanted: () => boolean;
  readonly onSent: () => void;
}

/** A process is wanted for a prompt, or for a question beside all prompts. */
type Wanted = Pick<Delivery, 'plan' | 'isWanted'> & { readonly prompt?: Prompt | undefined };

/** Gets prompts to a live Claude Code: reuses the process, or closes it and resumes, or starts one. */
export class ProcessSupervisor {
  readonly #deps: SupervisorDependencies;
  readonly #holder: SlotHolder;
  readonly #conversation: Conversation;
  readonly #host: BackendHost;
  #process: LiveProcess | undefined;
  #slot: Slot | undefined;
  #stopIdleTimer: (() => void) | undefined;
  /** Prompts on their way: between two processes the conversation stays ours. */
  #deliveries = 0;
  /** A prompt given to a kept process that has not stirred since: should it be dead, the prompt goes to a new one. */
  #untaken: { readonly process: LiveProcess; readonly delivery: Delivery } | undefined;

  constructor(
    deps: SupervisorDependencies,
    holder: SlotHolder,
    conversation: Conversation,
    host: BackendHost,
  ) {
    this.#deps = deps;
    this.#holder = holder;
    this.#conversation = conversation;
    this.#host = host;
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

  /** What the live process can be asked; undefined when there is none, and none is started for it. */
  get controls(): ProcessControls | undefined {
    return this.isLive ? this.#process?.controls : undefined;
  }

  /** What the live process was told to change: it is not to be replaced for it. */
  adopt(changes: Partial<EffectiveOptions>): void {
    this.#process?.adopt(changes);
  }

  /** Takes a slot at once or throws; the process itself may come later. */
  reserve(): void {
    this.#slot ??= this.#deps.slots.reserve(this.#holder);
  }

  /** Gives an unused slot back, and the conversation with it. */
  yieldSlot(): void {
    if (this.#process === undefined && this.#slot !== undefined) {
      this.#deps.slots.release(this.#slot);
      this.#slot = undefined;
    }
    void this.#releaseIfUnused();
  }

  /** Makes this server the only one that writes to the conversation, until its process is gone. */
  async hold(): Promise<void> {
    const holder = await this.#conversation.hold();
    if (holder !== undefined) throw heldElsewhere('server', holder);
  }

  /** Refuses when another process has the conversation open: both would write, and one branch would be lost. */
  async refuseForeignOwner(): Promise<void> {
    const holder = await this.#conversation.findHolder();
    if (holder !== undefined) throw heldElsewhere('server', holder);
    const owner = await this.#conversation.findOwner(this.#process?.pid);
    if (owner !== undefined) throw heldElsewhere('Claude Code', owner);
  }

  /** Claude Code removes old transcripts: going on without one would be a new conversation under an old name. */
  async refuseLostConversation(): Promise<void> {
    if (this.isLive || !this.#conversation.wasOnDisk || (await this.#conversation.exists())) return;
    throw new AppError('conversation_lost');
  }

  /** Sends the prompt, starting Claude Code if need be; resolves when the conversation is under way. */
  async deliver(delivery: Delivery): Promise<void> {
    const { prompt, plan, onSent } = delivery;
    this.wake();
    this.#deliveries += 1;
    try {
      const kept = this.#process;
      const process = await this.#processFor(delivery);
      if (process === undefined) return;
      this.#conversation.note(prompt.uuid);
      if (process === kept && plan.options.persistSession) this.#untaken = { process, delivery };
      process.send(prompt);
      onSent();
      await process.ready;
    } finally {
      this.#deliveries -= 1;
      void this.#releaseIfUnused();
    }
  }

  /** Adds to the running turn; false when there is no process that could take it. */
  steer(prompt: Prompt): boolean {
    if (this.#process === undefined || !this.isLive) return false;
    this.#conversation.note(prompt.uuid);
    this.#process.send(prompt);
    return true;
  }

  /** Asks the live process, or one that is resumed for it, without a prompt. */
  async ask<T>(plan: LaunchPlan, question: (controls: ProcessControls) => Promise<T>): Promise<T> {
    this.wake();
    const process = await this.#processFor({ plan, isWanted: () => true });
    if (process === undefined) throw new AppError('shutting_down');
    const answer = question(process.controls).then((value) => {
      process.confirm();
      return value;
    });
    // Whichever is first: one that ends, or stalls, while it starts answers nothing.
    return Promise.race([answer, process.ready.then(() => answer)]);
  }

  async interrupt(): Promise<void> {
    await this.#process?.interrupt();
  }

  async stop(): Promise<void> {
    this.wake();
    if (this.#process === undefined) this.yieldSlot();
    else await this.#process.stop();
    // A server that ends must not be gone before its lock is.
    await this.#releaseIfUnused();
  }

  /** The slot goes to another session; this one resumes later. */
  async evict(): Promise<void> {
    this.#slot = undefined;
    await this.stop();
  }

  /** Nothing to do: remembers how far the transcript is ours, and closes after a while. */
  rest(): void {
    this.wake();
    if (!this.isLive) return this.yieldSlot();
    void this.#conversation.mark();
    const { clock, idleProcessMs } = this.#deps;
    this.#stopIdleTimer = clock.after(idleProcessMs, () => {
      if (this.#holder.canEvict()) void this.stop();
      else this.rest();
    });
  }

  wake(): void {
    this.#stopIdleTimer?.();
    this.#stopIdleTimer = undefined;
  }

  async #processFor({ plan, isWanted, prompt }: Wanted): Promise<LiveProcess | undefined> {
    const live = this.#process;
    if (live !== undefined) {
      const isReusable =
        !live.isStopping &&
        plan.resumeAt === undefined &&
        isSamePlan(live.launch, plan) &&
        isWithin(live, plan);
      if (isReusable && !(await this.#conversation.hasChanged()) && !live.isStopping)
        return isWanted() ? live : undefined;
      await live.stop();
    }
    return this.#launch({ plan, isWanted, prompt });
  }

  async #launch({ plan, isWanted, prompt }: Wanted): Promise<LiveProcess | undefined> {
    const { backend, permits, clock, meter } = this.#deps;
    this.reserve();
    await this.#slot?.free;
    await permits.acquire();
    try {
      if (plan.options.persistSession) await this.hold();
      const launch: Launch = {
        claudeSessionId: this.#conversation.claudeSessionId,
        from: await this.#origin(plan),
        options: plan.options,
        grantedRules: plan.grantedRules,
        budgetLeftUsd: plan.budgetLeftUsd,
        // One that lives keeps the trace it was started in.
        trace: prompt?.trace,
      };
      if (!isWanted() || this.#deps.slots.isClosed) {
        permits.release();
        this.yieldSlot();
        return undefined;
      }
      const slot = this.#slot;
      const startedAt = clock.now();
      const process = new LiveProcess(
        backend,
        launch,
        { ...this.#hostCallbacks(), onExit: (exit) => this.#onExit(process, slot, exit) },
        clock,
      );
      this.#process = process;
      const begun = (isReady: boolean): void => {
        permits.release();
        meter.measure({ what: 'process_ready', isReady, ms: clock.now() - startedAt });
      };
      process.ready.then(
        () => begun(true),
        () => begun(false),
      );
      return process;
    } catch (error) {
      permits.release();
      throw error;
    }
  }

  /** A session without a transcript cannot be resumed: it is started again under its id. */
  async #origin(plan: LaunchPlan): Promise<Launch['from']> {
    const { forkOf, resumeAt } = plan;
    if (await this.#conversation.exists()) return { type: 'resume', at: resumeAt };
    if (forkOf === undefined) return { type: 'start' };
    return { type: 'fork', claudeSessionId: forkOf.claudeSessionId, at: forkOf.at };
  }

  #hostCallbacks(): Omit<BackendHost, 'onExit'> {
    return {
      onSignal: (signal, raw) => {
        this.#untaken = undefined;
        if (signal.type === 'message_seen') this.#conversation.note(signal.uuid);
        // It becomes part of a path, so nothing but a UUID may pass.
        if (signal.type === 'init' && isUuid(signal.claudeSessionId)) {
          this.#conversation.moveTo(
            signal.claudeSessionId,
            this.#process?.launch.options.persistSession ?? false,
          );
        }
        this.#host.onSignal(signal, raw);
      },
      onMessage: this.#host.onMessage,
      judge: (call) => this.#host.judge(call),
      onAsk: (ask, signal) => this.#host.onAsk(ask, signal),
    };
  }

  #onExit(process: LiveProcess, slot: Slot | undefined, exit: ProcessExit): void {
    const untaken = this.#untaken?.process === process ? this.#untaken.delivery : undefined;
    this.#untaken = undefined;
    if (this.#process === process) this.#process = undefined;
    if (untaken?.isWanted() === true) return this.#deliverAgain(untaken, exit);
    // A reply may have reserved anew while this one was on its way out: that slot is not ours to give.
    if (this.#slot === slot) this.yieldSlot();
    void this.#releaseIfUnused();
    this.#host.onExit(exit);
  }

  async #releaseIfUnused(): Promise<void> {
    if (this.#process !== undefined || this.#slot !== undefined || this.#deliveries > 0) return;
    await this.#conversation.release();
  }

  /** The kept process had died unnoticed: the conversation is resumed and the prompt sent there. */
  #deliverAgain(delivery: Delivery, exit: ProcessExit): void {
    this.deliver(delivery).catch((error: unknown) => {
      this.yieldSlot();
      this.#host.onExit({ ...exit, reason: messageOf(error) });
    });
  }
}

function heldElsewhere(holder: 'server' | 'Claude Code', { pid }: { readonly pid: number }): AppError {
  return pid === process.pid
    ? new AppError('session_open_in_other_call')
    : new AppError('session_open_elsewhere', { holder, pid });
}

/** A live process keeps the limits it was started with. */
function isSamePlan(launch: Launch, plan: LaunchPlan): boolean {
  return JSON.stringify(launch.options) === JSON.stringify(plan.options);
}

/** Others may have spent what this process still thinks it has, or left it more than it knows. */
function isWithin({ launch, spentUsd }: LiveProcess, { budgetLeftUsd }: LaunchPlan): boolean {
  if (budgetLeftUsd === undefined) return true;
  if (launch.budgetLeftUsd === undefined) return false;
  const own = launch.budgetLeftUsd - spentUsd;
  return own <= budgetLeftUsd + 1e-9 && own >= budgetLeftUsd / 2;
}
