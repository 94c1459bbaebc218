import { setTimeout as pause } from 'node:timers/promises';
import type {
  BackendHost,
  BackendSignal,
  ContextUsage,
  Launch,
  McpServerState,
  ParkedProcess,
  Prompt,
  Rewinding,
} from '../../core/claude/backend.js';
import { AppError, messageOf } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { foldersOf } from '../../core/options/place.js';
import type { PermissionMode } from '../../core/options/tools.js';
import { fileIdentity } from '../../files/file-identity.js';
import type { OpenLaunch } from '../launches/launches.js';
import { GateProof, isTurnStart, withoutGate } from '../gate/gate-proof.js';
import { ClaudeChild, programOf, scriptOf, type ChildOptions } from './child.js';
import { isolationVariables } from './isolation-variables.js';
import { runtimeVariables } from './launch-settings.js';
import { MessageMapper } from './map-message.js';
import { MessageReader } from './message-reader.js';
import { Parking } from './parking.js';
import { searchingElsewhere } from './search-variables.js';
import type { ProcessSettings } from './settings.js';
import { endChild } from './stop.js';
import { traceVariables } from './trace-variables.js';

/** Time to read output that is still in the pipe. */
const drainMs = 500;

type ResultSignal = Extract<BackendSignal, { type: 'result' }>;

/** How a process ended, as far as its backend can tell. */
export interface Ending {
  /** A sentence for the caller. Undefined when the exit of the child explains enough. */
  readonly reason?: string | undefined;
  /** Used when no child exists whose exit could be reported. */
  readonly failure?: string | undefined;
  /** Why the backend did not start it, with the next step. */
  readonly refusal?: AppError | undefined;
}

interface LastSteps {
  /** The child is suspended and reacts to nothing. */
  readonly isHalted?: boolean;
  /** Asks Claude Code to stop the running turn; its result follows as a message. */
  readonly interruptTurn: () => void;
  readonly endInput: () => void;
}

/** The life cycle that both backends share: it maps messages to signals, stops once, and reports the exit once. */
export abstract class ClaudeProcess implements ParkedProcess {
  protected readonly launch: Launch;
  protected readonly host: BackendHost;
  protected child: ClaudeChild | undefined;
  /** Why we gave up on a live process. Takes precedence over how it exited. */
  protected givenUp: string | undefined;
  /** It is suspended and reacts to nothing. */
  protected isHalted = false;
  protected readonly proof: GateProof;
  protected readonly parking = new Parking();
  readonly #settings: ProcessSettings;
  readonly #mapper: MessageMapper;
  readonly #abandoned = new AbortController();
  #opened: OpenLaunch | undefined;
  /** Messages that came before it was clear whether Claude Code is signed in. */
  #held: JsonObject[] | undefined;
  /** Settles when that is clear. */
  #signIn: Promise<void> | undefined;
  #refusal: AppError | undefined;
  #hasPrompt = false;
  /** Prompts that wait until that is clear. */
  #prompts: Prompt[] | undefined;
  /** Output that arrives from now on is ignored. */
  #isOver = false;
  protected hasBegun = false;
  #onBegun: () => void = () => undefined;
  /** Resolves with the first turn, or when there will be none. */
  readonly #begun = new Promise<void>((resolve) => {
    this.#onBegun = resolve;
  });
  #isBusy = false;
  #onQuiet: (() => void) | undefined;
  #stopping: Promise<void> | undefined;
  #failedStop: { readonly error: unknown } | undefined;

  constructor(launch: Launch, host: BackendHost, settings: ProcessSettings) {
    this.launch = launch;
    this.host = host;
    this.#settings = settings;
    this.#prompts = settings.checkSignIn && [];
    this.proof = new GateProof(launch.options, { isNew: launch.from.type === 'start' });
    this.#mapper = new MessageMapper({
      isNewConversation: launch.from.type === 'start',
      redactor: settings.redactor,
      onMessage: host.onMessage,
    });
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** The folders in which the session may work. */
  protected get folders(): readonly string[] {
    return foldersOf(this.launch.options);
  }

  get stderrTail(): string {
    return this.child?.stderrTail ?? '';
  }

  send(prompt: Prompt): void {
    this.#isBusy = true;
    this.#hasPrompt = true;
    // Otherwise Claude Code would save a conversation of a session that never was.
    if (this.#prompts === undefined) this.write(prompt);
    else this.#prompts.push(prompt);
  }

  abstract interrupt(): Promise<void>;
  abstract setModel(model: string): Promise<void>;
  abstract setPermissionMode(mode: PermissionMode): Promise<void>;
  abstract followMode(mode: PermissionMode): Promise<void>;
  abstract contextUsage(): Promise<ContextUsage>;
  abstract mcpServers(): Promise<readonly McpServerState[]>;
  abstract rewindFiles(messageId: string, how: { readonly dryRun: boolean }): Promise<Rewinding | undefined>;

  get parked(): Promise<void> {
    return this.parking.parked;
  }

  async claim(): Promise<void> {
    const { child, launch } = this;
    if (child === undefined || child.hasExited) throw new Error('Claude Code has exited');
    this.parking.refuseChange(this.#origin(child.program));
    const claudeSessionId = await this.move(launch.options.cwd);
    if (claudeSessionId !== launch.claudeSessionId)
      throw new Error(`the session has the id ${String(claudeSessionId)}`);
  }

  stop(): Promise<void> {
    this.#abandoned.abort();
    this.proof.expectInterrupt();
    // The session must learn of the exit even if something could not be stopped.
    this.#stopping ??= this.end().catch((error: unknown) => {
      this.#failedStop = { error };
    });
    return this.#stopping;
  }

  protected get isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  protected abstract write(prompt: Prompt): void;

  /** Moves a parked process into this folder, in which its session begins. Resolves with the id of the session. */
  protected abstract move(cwd: string): Promise<string | undefined>;

  /** Undefined: the backend knows where it is. */
  protected abstract findExecutable(): string | undefined;

  /** An interrupt that comes before the turn of the first prompt would end nothing, and the prompt would run. */
  protected async firstTurn(): Promise<void> {
    if (this.#hasPrompt) await this.#begun;
  }

  get #isBeforeFirstTurn(): boolean {
    return this.#hasPrompt && !this.hasBegun;
  }

  /** Takes a message that Claude Code has written. The messages behind it wait for the promise, if there is one. */
  protected abstract take(message: JsonObject, line: string): Promise<void> | undefined;

  /** Resolves when Claude Code has exited, failed to start, or closed its output. Never rejects. */
  protected abstract live(): Promise<Ending>;

  /** Ends Claude Code and all its descendants. Called once. */
  protected abstract end(): Promise<void>;

  /** Subclasses call it at the end of their constructor, because `live` needs their fields. */
  protected async run(): Promise<void> {
    const { reason, failure, refusal = this.#refusal } = await this.live();
    this.#isOver = true;
    this.#onBegun();
    this.parking.leave(this.givenUp ?? reason ?? failure ?? 'Claude Code has exited');
    await this.stop();
    await this.#signIn;
    if (this.#failedStop === undefined) this.#opened?.close();
    else this.#opened?.abandon(this.#failedStop.error);
    const { child } = this;
    this.host.onExit({
      reason: this.givenUp ?? reason ?? (await child?.exited) ?? failure ?? 'Claude Code was not started',
      stderrTail: this.stderrTail,
      neverStarted: child === undefined || child.neverStarted,
      refusal,
      ...(child?.isTransient === true ? { isTransient: true } : {}),
    });
  }

  protected start(options: Omit<ChildOptions, 'user'>): ClaudeChild {
    // Recorded before the process exists: otherwise a crash in between would leave an orphan.
    const launch = this.files;
    const { user, redactor } = this.#settings;
    // Noted before the start, so that no change during the start is missed.
    if (this.#settings.isParked === true) this.parking.start(this.#origin(programOf(options)));
    const child = new ClaudeChild({ ...options, user }, redactor);
    this.child = child;
    // If its start time cannot be read, it can still be found by its marker.
    if (child.pid !== undefined)
      void launch.started(child.pid, () => !child.hasExited).catch(() => undefined);
    this.#checkSignIn(options, child);
    return child;
  }

  /** Takes all that Claude Code writes. Resolves when it has closed its output, or has exited some time ago. */
  protected async read(child: ClaudeChild): Promise<void> {
    const { ended } = new MessageReader(child.withPipes().stdout, (message, line) => {
      if (this.givenUp !== undefined || this.#isOver) return undefined;
      try {
        return this.take(message, line);
      } catch (error) {
        // Nothing that Claude Code says may end more than its own session.
        this.giveUp(unreadable(messageOf(error)));
        return undefined;
      }
    });
    // A process that it has started may keep the output open.
    await Promise.race([ended, child.exited.then(() => pause(drainMs))]);
    this.#isOver = true;
  }

  /** Later entries win: the server's environment, the caller's, and our own. */
  protected environment(): Record<string, string | undefined> {
    const { environment, ownEnvironment } = this.#settings;
    const { launch } = this;
    return {
      ...runtimeVariables,
      ...searchingElsewhere(environment, launch.options),
      ...traceVariables(launch),
      ...launch.options.env,
      ...isolationVariables(launch),
      ...ownEnvironment,
    };
  }

  /** Where it starts. */
  protected get startFolder(): string {
    return this.#settings.isParked === true ? this.files.createParking() : this.launch.options.cwd;
  }

  /** Removed when the process has ended. */
  protected get files(): OpenLaunch {
    this.#opened ??= this.#settings.launches.open(this.#settings.marker);
    return this.#opened;
  }

  protected deliver(message: JsonObject): void {
    if (this.isHalted) return;
    if (this.proof.isMissing(message)) {
      this.giveUp(withoutGate);
      return;
    }
    if (isTurnStart(message)) {
      this.hasBegun = true;
      this.#onBegun();
    }
    if (this.#held !== undefined) {
      this.#held.push(message);
      return;
    }
    for (const signal of this.#mapper.map(message)) {
      if (signal.type === 'activity') this.#setBusy(signal.state === 'running');
      if (signal.type === 'result') this.#setBusy(false);
      // After the result of work that it began itself.
      if (signal.type === 'prompt' && signal.state === 'started') this.#setBusy(true);
      this.host.onSignal(signal.type === 'result' ? this.#withSignIn(signal) : signal, message);
    }
  }

  /** Suspends it at once, then ends it with all its descendants. */
  protected giveUp(why: string): void {
    this.givenUp = why;
    this.isHalted = true;
    this.child?.kill(process.platform === 'win32' ? 'SIGKILL' : 'SIGSTOP');
    void this.stop();
  }

  protected endChild(
    child: ClaudeChild,
    { isHalted = false, interruptTurn, endInput }: LastSteps,
  ): Promise<void> {
    const { processes, marker, user } = this.#settings;
    return endChild(
      child,
      { processes, marker, uid: user?.uid, claude: this.#opened?.claude },
      // An interrupt before the first turn would not keep Claude Code from beginning it.
      { isHalted: isHalted || this.#isBeforeFirstTurn, endInput, quiet: () => this.#quiet(interruptTurn) },
    );
  }

  /**
   * Claude Code itself would say so only after the prompt, when the caller believes that the session runs. The
   * check runs beside the start, so it costs time only if it takes longer.
   */
  #checkSignIn({ command, args, env }: Omit<ChildOptions, 'user'>, child: ClaudeChild): void {
    const isSignedIn = this.#settings.checkSignIn?.({
      executable: command,
      script: scriptOf(args),
      env,
      options: this.launch.options,
      signal: this.#abandoned.signal,
    });
    if (isSignedIn === undefined) return this.#sendPrompts();
    this.#held = [];
    this.#signIn = isSignedIn.then((is) => {
      if (is) return this.#release();
      this.#refusal = notSignedIn(child, env, true);
      // No model works on the prompt, so there is nothing to interrupt.
      this.#isBusy = false;
      void this.stop();
    });
  }

  /** What the start depends on besides the launch. */
  #origin(program: readonly string[]): string {
    return JSON.stringify([this.findExecutable(), program.map(fileIdentity), this.environment()]);
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    // A check that was given up proves nothing, and what the process said before it stopped is no news.
    if (this.isStopping) return;
    this.#sendPrompts();
    try {
      for (const message of held) this.deliver(message);
    } catch (error) {
      this.givenUp ??= unreadable(messageOf(error));
      void this.stop();
    }
  }

  #sendPrompts(): void {
    const prompts = this.#prompts ?? [];
    this.#prompts = undefined;
    for (const prompt of prompts) this.write(prompt);
  }

  #withSignIn(signal: ResultSignal): ResultSignal {
    const { child } = this;
    if (signal.report.errorSubtype !== 'not_signed_in' || child === undefined) return signal;
    const refusal = notSignedIn(child, this.environment(), false);
    return { ...signal, report: { ...signal.report, refusal } };
  }

  #setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    if (!isBusy) this.#onQuiet?.();
  }

  /** Waits for the result of the interrupted turn. If closed at once, Claude Code would call the API again. */
  async #quiet(interruptTurn: () => void): Promise<void> {
    if (!this.#isBusy) return;
    const quiet = new Promise<void>((resolve) => (this.#onQuiet = resolve));
    interruptTurn();
    await quiet;
  }
}

/** Only the process knows which executable a person has to sign in with, and for which configuration. */
function notSignedIn(
  { command: executable }: ClaudeChild,
  { CLAUDE_CONFIG_DIR: configDir }: Readonly<Record<string, string | undefined>>,
  isStart: boolean,
): AppError {
  return new AppError('not_signed_in', { executable, configDir, isStart });
}

/**
 * With any other priority, Claude Code would fold the prompt of a turn into one that it happens to run by itself, and
 * the result of that one would answer both.
 */
export function priorityOf({ delivery }: Prompt): 'next' | 'later' {
  return delivery === 'steer' ? 'next' : 'later';
}

/** Why a process is ended although it runs. */
export function unreadable(failure: string): string {
  return `Claude Code sent output that could not be read (${failure})`;
}
