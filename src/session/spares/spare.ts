import type {
  Backend,
  BackendHost,
  BackendProcess,
  BackendSignal,
  Launch,
  ParkedProcess,
  ProcessExit,
} from '../../core/claude/backend.js';
import type { GateDecision, ToolCall } from '../../core/claude/gate.js';
import type { InputAnswer, InputAsk } from '../../core/session/inputs.js';
import type { SlotHolder } from '../services/slots.js';

const noSession = {
  decision: 'deny',
  message: 'This process has no session yet.',
  interrupt: true,
} as const satisfies InputAnswer;

/** More than Claude Code reports while it waits. */
const maxSignals = 100;

/** A Claude Code that waits for a session. It has a slot, which it gives up before any session does. */
export class Spare implements SlotHolder, BackendHost {
  readonly id: string;
  readonly launch: Launch;
  /** The state of the configuration before the start. */
  readonly mark: string;
  readonly isSpare = true;
  readonly lastTouchedAt = 0;
  readonly #process: ParkedProcess;
  readonly #onEvict: () => Promise<void>;
  readonly #onGone: () => void;
  /** The session that it serves. */
  #host: BackendHost | undefined;
  /** What it has reported before its session could hear it. */
  readonly #early: (readonly [signal: BackendSignal, raw: unknown])[] = [];
  #exit: ProcessExit | undefined;

  constructor(
    backend: Backend,
    { launch, mark }: { readonly launch: Launch; readonly mark: string },
    { onEvict, onGone }: { readonly onEvict: () => Promise<void>; readonly onGone: () => void },
  ) {
    this.id = launch.claudeSessionId;
    this.launch = launch;
    this.mark = mark;
    this.#onEvict = onEvict;
    this.#onGone = onGone;
    this.#process = backend.park(launch, this);
  }

  /** Resolves when it can be claimed. Rejects if it exits before. */
  get parked(): Promise<void> {
    return this.#process.parked;
  }

  /** Begins its session. Rejects if Claude Code cannot do that as if it had just started. */
  claim(): Promise<void> {
    return this.#process.claim();
  }

  /** From now on it reports to this session. */
  attach(host: BackendHost): BackendProcess {
    // The session knows its process only after this call.
    queueMicrotask(() => {
      this.#host = host;
      for (const [signal, raw] of this.#early.splice(0)) host.onSignal(signal, raw);
      if (this.#exit !== undefined) host.onExit(this.#exit);
    });
    return this.#process;
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  canEvict(): boolean {
    return true;
  }

  evict(): Promise<void> {
    return this.#onEvict();
  }

  describe(): string {
    return 'waits for a new session';
  }

  /** The session may want every message, which is only known when it begins. */
  readonly onMessage = (message: unknown): void => this.#host?.onMessage?.(message);

  onSignal(signal: BackendSignal, raw: unknown): void {
    if (this.#host !== undefined) return this.#host.onSignal(signal, raw);
    this.#early.push([signal, raw]);
    if (this.#early.length > maxSignals) void this.stop();
  }

  judge(call: ToolCall): GateDecision {
    return this.#host?.judge(call) ?? { ask: noSession.message, isGrantable: false };
  }

  async onAsk(ask: InputAsk, signal: AbortSignal): Promise<InputAnswer> {
    return this.#host?.onAsk(ask, signal) ?? noSession;
  }

  onExit(exit: ProcessExit): void {
    this.#exit = exit;
    this.#onGone();
    this.#host?.onExit(exit);
  }
}
