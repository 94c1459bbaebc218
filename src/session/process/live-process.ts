import type {
  BackendHost,
  BackendProcess,
  BackendSignal,
  BackgroundTask,
  Launch,
  ProcessControls,
  ProcessExit,
  Prompt,
} from '../../core/claude/backend.js';
import type { GateDecision, ToolCall } from '../../core/claude/gate.js';
import type { Clock } from '../../core/clock.js';
import { knownToolNames } from '../../core/claude/claude-tools.js';
import { AppError, messageOf } from '../../core/errors.js';
import type { Logger } from '../../core/observability/logger.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { isPermissionMode, type PermissionMode } from '../../core/options/tools.js';
import type { InputAnswer, InputAsk } from '../../core/session/inputs.js';
import { startFailure } from '../report/reports.js';
import type { ProcessObserver } from '../services/process-observer.js';
import { isElsewhere } from './moved-folders.js';

export interface ProcessParts {
  /** Starts the process, or takes one that waits. */
  readonly open: (host: BackendHost) => BackendProcess;
  /** It was waiting before its session began. */
  readonly isSpare: boolean;
  readonly launch: Launch;
  /** Judges tool calls, answers requests, and receives everything the process reports. */
  readonly owner: Omit<BackendHost, 'onExit'>;
  readonly observers: readonly ProcessObserver[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called for every signal, before observers and owner. */
  readonly onSignal: (signal: BackendSignal) => void;
  readonly onExit: (process: LiveProcess, exit: ProcessExit) => void;
}

/** One live Claude Code of a session, and the host its backend reports to. */
export class LiveProcess implements BackendHost {
  launch: Launch;
  /** Resolves once the conversation works; rejects with an AppError if the process exits or stalls before. */
  readonly ready: Promise<void>;
  /** Resolves when the process and all its descendants have exited. */
  readonly gone: Promise<void>;
  tasks: readonly BackgroundTask[] = [];
  isReady = false;
  isStopping = false;
  spentUsd = 0;
  readonly onMessage: BackendHost['onMessage'];
  readonly #parts: ProcessParts;
  readonly #process: BackendProcess;
  #resolveReady: () => void = () => undefined;
  #rejectReady: (error: AppError) => void = () => undefined;
  #resolveGone: () => void = () => undefined;
  readonly #stopInitTimer: () => void;
  #givenUp: AppError | undefined;
  #modeBeforePlan: PermissionMode | undefined;
  #isPlanning: boolean;

  constructor(parts: ProcessParts) {
    const { open, launch, clock, owner } = parts;
    this.launch = launch;
    this.#isPlanning = launch.options.permissionMode === 'plan';
    this.#parts = parts;
    this.onMessage = owner.onMessage;
    this.ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    // A turn cancelled during the start does not await this, and the rejection would be unhandled.
    this.ready.catch(() => undefined);
    this.gone = new Promise((resolve) => (this.#resolveGone = resolve));
    this.#process = open(this);
    const limitMs = launch.options.sessionInitTimeoutMs;
    this.#stopInitTimer = clock.after(limitMs, () => this.#onInitTimeout(limitMs));
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get isSpare(): boolean {
    return this.#parts.isSpare;
  }

  /** Control requests to the process, outside of prompts. */
  get controls(): ProcessControls {
    return this.#process;
  }

  /** The process answered a control request, which is the only sign of life before the first prompt. */
  confirm(): void {
    this.isReady = true;
    this.#stopInitTimer();
    this.#resolveReady();
  }

  /** The mode that it is in, and the one to which Claude Code returns when a plan is approved. */
  get modes(): readonly PermissionMode[] {
    const { permissionMode } = this.launch.options;
    return this.#modeBeforePlan === undefined ? [permissionMode] : [permissionMode, this.#modeBeforePlan];
  }

  /** It has already loaded its settings: if these change, the next prompt needs another process. */
  adopt({ settingSources: _loaded, withheldPlugins: _started, ...changes }: Partial<EffectiveOptions>): void {
    const { permissionMode: before } = this.launch.options;
    const { permissionMode: mode = before } = changes;
    if (mode !== 'plan') this.#modeBeforePlan = undefined;
    else if (before !== 'plan') this.#modeBeforePlan = before;
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

  judge(call: ToolCall): GateDecision {
    return this.#parts.owner.judge(call);
  }

  async onAsk(ask: InputAsk, signal: AbortSignal): Promise<InputAnswer> {
    const answer = await this.#parts.owner.onAsk(ask, signal);
    this.#noteRules(ask, answer);
    this.#observe((observer) => observer.onAnswer?.(ask, answer));
    return answer;
  }

  /** Claude Code applies at once what an approval allows for the session. */
  #noteRules({ suggestedRules = [] }: InputAsk, answer: InputAnswer): void {
    if (answer.decision === 'deny') return;
    const named = (answer.updates ?? []).flatMap((update) =>
      update.type === 'addRules' ? update.rules : [],
    );
    const rules = [...(answer.forSession === true ? suggestedRules : []), ...named];
    if (rules.length > 0)
      this.launch = { ...this.launch, grantedRules: [...this.launch.grantedRules, ...rules] };
  }

  onSignal(signal: BackendSignal, raw: unknown): void {
    if (this.#failsToStart(signal)) return;
    this.#note(signal);
    this.#parts.onSignal(signal);
    for (const observer of this.#parts.observers) {
      // Not through `#observe`: a closure for every signal would show in the CPU time.
      try {
        observer.onSignal?.(signal);
      } catch (error) {
        this.#logFault(error);
      }
    }
    this.#parts.owner.onSignal(signal, raw);
  }

  onExit(reported: ProcessExit): void {
    // Why we gave up says more than how it exited then.
    const exit = { ...reported, refusal: reported.refusal ?? this.#givenUp };
    this.isStopping = true;
    this.#stopInitTimer();
    this.#rejectReady(startFailure(exit));
    this.#observe((observer) => observer.onExit?.());
    this.#resolveGone();
    this.#parts.onExit(this, exit);
  }

  /** Claude Code reports some reasons why it cannot start as the result of the prompt that it has not begun. */
  #failsToStart(signal: BackendSignal): boolean {
    if (this.isReady || signal.type !== 'result' || signal.report.refusal === undefined) return false;
    this.#giveUp(signal.report.refusal);
    return true;
  }

  #note(signal: BackendSignal): void {
    switch (signal.type) {
      case 'init':
        this.#refuseUnknownAgent(signal.agents);
        this.#refuseUnknownTools(signal.tools);
        this.#refuseElsewhere(signal.cwd);
        return this.confirm();
      case 'result':
        this.spentUsd += signal.report.costUsd;
        return this.confirm();
      case 'tasks':
        this.tasks = signal.tasks;
        return;
      case 'mode':
        return this.#followMode(signal.permissionMode);
      default:
        return;
    }
  }

  /** Claude Code gets its restrictions before the answer to its next call, and before the next prompt. */
  #followMode(mode: string): void {
    const wasPlanning = this.#isPlanning;
    this.#isPlanning = mode === 'plan';
    if (this.#isPlanning !== wasPlanning && isPermissionMode(mode))
      this.#process.followMode(mode).catch(() => undefined);
  }

  /** A fault of an observer must not reach the process or its session. */
  #observe(notify: (observer: ProcessObserver) => void): void {
    for (const observer of this.#parts.observers) {
      try {
        notify(observer);
      } catch (error) {
        this.#logFault(error);
      }
    }
  }

  #logFault(error: unknown): void {
    this.#parts.logger.log('error', 'a process observer failed', { reason: messageOf(error) });
  }

  #onInitTimeout(limitMs: number): void {
    this.#giveUp(new AppError('init_timeout', { limitMs, stderrTail: this.#process.stderrTail }));
  }

  /** The folder was swapped while Claude Code started. Later, and in a resumed conversation, Claude may have moved. */
  #refuseElsewhere(startedIn: string | undefined): void {
    const { options, from } = this.launch;
    if (this.isReady || from.type === 'resume' || startedIn === undefined) return;
    if (isElsewhere(startedIn, options.cwd))
      this.#giveUp(new AppError('folder_moved', { path: options.cwd }));
  }

  /** Claude Code would silently work without the agent. */
  #refuseUnknownAgent(agents: readonly string[] | undefined): void {
    const { agent } = this.launch.options;
    if (agent === undefined || agents === undefined || agents.includes(agent)) return;
    this.#giveUp(new AppError('agent_unknown', { agent, agents }));
  }

  /**
   * Claude Code would silently work without any tool. One known name is enough, because others may be older names of
   * its tools. Only at the start: a session must remain resumable.
   */
  #refuseUnknownTools(reported: readonly string[]): void {
    const { options, from } = this.launch;
    if (this.isReady || from.type === 'resume' || !Array.isArray(options.tools)) return;
    const known = new Set([...knownToolNames, ...reported]);
    const [name] = options.tools;
    if (name !== undefined && !options.tools.some((tool) => known.has(tool)))
      this.#giveUp(new AppError('tool_unknown', { name }));
  }

  #giveUp(error: AppError): void {
    this.#givenUp = error;
    this.isStopping = true;
    void this.#process.stop();
    this.#rejectReady(error);
  }
}
