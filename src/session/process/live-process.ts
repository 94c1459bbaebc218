import type {
  Backend,
  BackendHost,
  BackendProcess,
  BackendSignal,
  BackgroundTask,
  Launch,
  ProcessControls,
  ProcessExit,
  Prompt,
} from '../../core/claude/backend.js';
import type { Clock } from '../../core/clock.js';
import { AppError } from '../../core/errors.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { startFailure } from '../report/reports.js';

/** One live Claude Code of a session: whether it is ready, what it has in the background, and its end. */
export class LiveProcess {
  launch: Launch;
  /** Resolves at the first sign of a working conversation; rejects with an AppError when it ends or stalls before that. */
  readonly ready: Promise<void>;
  /** Resolves when the process and all it started are gone. */
  readonly gone: Promise<void>;
  tasks: readonly BackgroundTask[] = [];
  isStopping = false;
  spentUsd = 0;
  readonly #process: BackendProcess;
  #resolveReady: () => void = () => undefined;
  #rejectReady: (error: AppError) => void = () => undefined;
  #resolveGone: () => void = () => undefined;
  readonly #stopInitTimer: () => void;

  constructor(backend: Backend, launch: Launch, host: BackendHost, clock: Clock) {
    this.launch = launch;
    this.ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    // Nobody may be waiting for it: a turn that is cancelled while it starts has no use for the reason.
    this.ready.catch(() => undefined);
    this.gone = new Promise((resolve) => (this.#resolveGone = resolve));
    this.#process = backend.open(launch, {
      onSignal: (signal, raw) => this.#onSignal(signal, raw, host),
      onMessage: host.onMessage,
      judge: (call) => host.judge(call),
      onAsk: (ask, signal) => host.onAsk(ask, signal),
      onExit: (exit) => this.#onExit(exit, host),
    });
    const limitMs = launch.options.sessionInitTimeoutMs;
    this.#stopInitTimer = clock.after(limitMs, () => this.#onInitTimeout(limitMs));
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** What it can be asked beside prompts. */
  get controls(): ProcessControls {
    return this.#process;
  }

  /** It has answered something: before the first prompt that is the only sign of life there is. */
  confirm(): void {
    this.#stopInitTimer();
    this.#resolveReady();
  }

  adopt(changes: Partial<EffectiveOptions>): void {
    this.launch = { ...this.launch, options: { ...this.launch.options, ...changes } };
  }

  send(prompt: Prompt): void {
    this.#process.send(prompt);
  }

  interrupt(): Promise<void> {
    return this.#process.interrupt();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.#stopInitTimer();
    this.#rejectReady(new AppError('stopped_while_starting'));
    await this.#process.stop();
    await this.gone;
  }

  #onSignal(signal: BackendSignal, raw: unknown, host: BackendHost): void {
    if (signal.type === 'init' || signal.type === 'result') this.confirm();
    if (signal.type === 'tasks') this.tasks = signal.tasks;
    if (signal.type === 'result') this.spentUsd += signal.report.costUsd;
    host.onSignal(signal, raw);
  }

  #onExit(exit: ProcessExit, host: BackendHost): void {
    this.isStopping = true;
    this.#stopInitTimer();
    this.#rejectReady(startFailure(exit));
    this.#resolveGone();
    host.onExit(exit);
  }

  #onInitTimeout(limitMs: number): void {
    void (async () => {
      this.isStopping = true;
      await this.#process.stop();
    })();
    this.#rejectReady(new AppError('init_timeout', { limitMs, stderrTail: this.#process.stderrTail }));
  }
}
