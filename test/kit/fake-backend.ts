import { randomUUID } from 'node:crypto';
import type {
  Backend,
  BackendHost,
  BackendSignal,
  ContextUsage,
  Launch,
  McpServerState,
  ParkedProcess,
  ProcessExit,
  Prompt,
  PromptState,
  Rewinding,
} from '../../src/core/claude/backend.js';
import type { GateDecision, ToolCall } from '../../src/core/claude/gate.js';
import type { EventBody } from '../../src/core/session/events.js';
import type { InputAnswer, InputAsk } from '../../src/core/session/inputs.js';
import type { TurnReport } from '../../src/core/session/turn-result.js';
import { deferred } from './deferred.js';

/** A list whose items can be awaited before they arrive. */
class Arrivals<T> {
  readonly items: T[] = [];
  readonly #waiting = new Map<number, (item: T) => void>();

  add(item: T): void {
    const index = this.items.push(item) - 1;
    this.#waiting.get(index)?.(item);
  }

  at(index: number): Promise<T> {
    const item = this.items[index];
    if (item !== undefined) return Promise.resolve(item);
    return new Promise((resolve) => this.#waiting.set(index, resolve));
  }
}

/** A Claude Code that sends only what the test requests. */
export class FakeProcess implements ParkedProcess {
  readonly launch: Launch;
  readonly pid: number;
  stderrTail = '';
  interrupts = 0;
  /** Keeps a stopped process alive until the test calls `exit`. */
  lingers = false;
  /** The control requests that it received, in order. */
  readonly orders: unknown[] = [];
  /** Controls. A test may replace them or make them fail. */
  setModel = async (model: string): Promise<void> => {
    this.orders.push({ model });
  };
  setPermissionMode = async (permissionMode: string): Promise<void> => {
    this.orders.push({ permissionMode });
  };
  /** The modes that it was told to follow. */
  readonly followed: string[] = [];
  followMode = async (mode: string): Promise<void> => {
    this.followed.push(mode);
  };
  contextUsage = async (): Promise<ContextUsage> => ({ totalTokens: 10, maxTokens: 100, percentage: 10 });
  mcpServers = async (): Promise<readonly McpServerState[]> => [];
  rewindFiles = async (
    messageId: string,
    { dryRun }: { readonly dryRun: boolean },
  ): Promise<Rewinding | undefined> => {
    this.orders.push({ messageId, dryRun });
    return { files: ['/p/a.txt'], insertions: 1, deletions: 2, skippedLinks: 0 };
  };
  /** Resolves when the test calls `park`. */
  readonly parked: Promise<void>;
  park: () => void = () => undefined;
  claims = 0;
  /** A test may make it fail. */
  claim = async (): Promise<void> => {
    this.claims += 1;
  };
  readonly #host: BackendHost;
  readonly #prompts = new Arrivals<Prompt>();
  readonly #gone = deferred();
  readonly #stopped = deferred();
  #isStopping = false;
  #hasExited = false;

  constructor(launch: Launch, host: BackendHost, pid: number) {
    this.launch = launch;
    this.pid = pid;
    this.#host = host;
    this.parked = new Promise((resolve, reject) => {
      this.park = resolve;
      void this.#gone.promise.then(() => reject(new Error('Claude Code has exited')));
    });
    this.parked.catch(() => undefined);
  }

  get prompts(): readonly Prompt[] {
    return this.#prompts.items;
  }

  /** Resolves when it has exited. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /** Resolves when it is asked to stop. */
  get stopped(): Promise<void> {
    return this.#stopped.promise;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Resolves with the prompt at this index when it is sent. */
  prompt(index: number): Promise<Prompt> {
    return this.#prompts.at(index);
  }

  send(prompt: Prompt): void {
    this.#prompts.add(prompt);
  }

  async interrupt(): Promise<void> {
    this.interrupts += 1;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopped.resolve();
    if (!this.lingers) queueMicrotask(() => this.exit());
    await this.#gone.promise;
  }

  signal(signal: BackendSignal): void {
    this.#host.onSignal(signal, undefined);
  }

  /** Emits a message as Claude Code would write it. */
  say(message: unknown): void {
    this.#host.onMessage?.(message);
  }

  /** Begins the last prompt, as Claude Code does it. */
  init(tools: readonly string[] = [], agents?: readonly string[]): void {
    const { claudeSessionId, options } = this.launch;
    const prompt = this.prompts.at(-1);
    if (prompt !== undefined) this.progress('started', prompt);
    this.signal({ type: 'init', claudeSessionId, tools, agents, permissionMode: options.permissionMode });
  }

  /** Reports how far it has got with a prompt, by default with the last one. */
  progress(state: PromptState, { uuid }: { readonly uuid: string } = this.prompts.at(-1) ?? noPrompt): void {
    this.signal({ type: 'prompt', uuid, state });
  }

  /** Reports a response of the model. */
  answer(id: string = randomUUID(), uuid: string = randomUUID()): void {
    this.signal({ type: 'message_seen', uuid, answer: { id, usage: {}, chars: 1 } });
  }

  event(event: EventBody): void {
    this.signal({ type: 'event', event });
  }

  activity(state: 'running' | 'idle'): void {
    this.signal({ type: 'activity', state });
  }

  /** Emits the result of these prompts, by default of the last one sent. */
  result(report: Partial<TurnReport> = {}, prompts: readonly Prompt[] = this.prompts.slice(-1)): void {
    const promptUuids = prompts.map(({ uuid }) => uuid);
    this.signal({ type: 'result', promptUuids, unsolicited: false, report: { ...plainReport, ...report } });
  }

  unsolicitedResult(report: Partial<TurnReport> = {}): void {
    this.signal({
      type: 'result',
      promptUuids: [],
      unsolicited: true,
      report: { ...plainReport, ...report },
    });
  }

  ask(ask: Partial<InputAsk> = {}, signal = new AbortController().signal): Promise<InputAnswer> {
    return this.#host.onAsk({ ...plainAsk, ...ask }, signal);
  }

  /** What the gate decides about a tool call before Claude Code's own rules apply. */
  judge(call: Partial<ToolCall> = {}): GateDecision {
    const { toolName, toolUseId, input } = plainAsk;
    const { permissionMode } = this.launch.options;
    return this.#host.judge({ toolName, toolUseId, input, permissionMode, ...call });
  }

  /** Ends the process. Later calls have no effect. */
  exit(exit: Partial<ProcessExit> = {}): void {
    if (this.#hasExited) return;
    this.#hasExited = true;
    this.#host.onExit({
      reason: 'Claude Code exited with code 0',
      stderrTail: '',
      neverStarted: false,
      ...exit,
    });
    this.#gone.resolve();
  }
}

export class FakeBackend implements Backend {
  readonly name = 'fake';
  readonly startTimeoutMs = 10_000;
  readonly #processes = new Arrivals<FakeProcess>();

  get processes(): readonly FakeProcess[] {
    return this.#processes.items;
  }

  /** Resolves with the process at this index when it is opened. */
  process(index: number): Promise<FakeProcess> {
    return this.#processes.at(index);
  }

  async prepare(): Promise<void> {}

  open(launch: Launch, host: BackendHost): FakeProcess {
    const process = new FakeProcess(launch, host, 40_000 + this.processes.length);
    this.#processes.add(process);
    return process;
  }

  park(launch: Launch, host: BackendHost): FakeProcess {
    return this.open(launch, host);
  }
}

const noPrompt = { uuid: 'of no prompt' };

export const plainReport: TurnReport = {
  result: 'done',
  outcome: 'completed',
  durationMs: 10,
  numTurns: 1,
  costUsd: 0.01,
};

export const plainAsk: InputAsk = {
  kind: 'permission',
  toolName: 'Bash',
  toolUseId: 'toolu_1',
  input: { command: 'npm test' },
};
