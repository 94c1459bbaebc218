import { setTimeout as pause } from 'node:timers/promises';
import type { BackendHost, BackendProcess, Launch, Prompt } from '../../core/claude/backend.js';
import { AppError, messageOf } from '../../core/errors.js';
import type { ProcessTable } from '../../core/processes.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { ClaudeChild } from '../shared/child.js';
import { asList, asText, isObject, parseObject, type JsonObject } from '../../core/json.js';
import { LaunchFiles } from '../shared/launch-files.js';
import { MessageMapper } from '../shared/map-message.js';
import { endChild } from '../shared/stop.js';
import { traceVariables } from '../shared/trace-variables.js';
import { toArguments } from './arguments.js';
import { ControlChannel } from './control.js';
import { LineCutter } from '../shared/lines.js';
import { answerQuestion } from './permission/answer.js';
import type { CallbackServer, Registration } from './permission/callback-server.js';
import { mcpConfig, type ScriptLaunch } from './permission/config.js';
import { serverName } from './permission/protocol.js';
import { versionProblem, type CheckVersion } from './version.js';

export interface ProcessDependencies {
  readonly processes: ProcessTable;
  readonly redactor: Redactor;
  /** Undefined when there is none on this machine. A repository must not choose: not in the folders of the session. */
  readonly findExecutable: (notIn: readonly string[]) => string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** What marks and watches the session: nobody else may set it. */
  readonly ownEnvironment: Readonly<Record<string, string>>;
  /** `KEY=VALUE`, unique to this launch: how strays are found after a crash. */
  readonly marker: string;
  readonly launchFolder: string;
  readonly script: ScriptLaunch;
  readonly callbacks: CallbackServer;
  readonly checkVersion: CheckVersion;
}

/** After this without an answer, an interrupt is sent as a signal; less than what the session waits for its end. */
const interruptAnswerMs = 3_000;
/** What has been written before the end may still be on its way; something that lives on may hold the pipe open. */
const drainMs = 500;

/** One live `claude`, driven by its flags and streams. */
export class CliProcess implements BackendProcess {
  readonly #launch: Launch;
  readonly #host: BackendHost;
  readonly #deps: ProcessDependencies;
  readonly #mapper: MessageMapper;
  readonly #control: ControlChannel;
  readonly #opening: Promise<ClaudeChild | undefined>;
  readonly #givenUp = new AbortController();
  #files: LaunchFiles | undefined;
  #registration: Registration | undefined;
  #child: ClaudeChild | undefined;
  /** Lines for a process that is not there yet. */
  #unsent: string[] = [];
  #drained: Promise<unknown> | undefined;
  #permissionMode: string;
  #hasBegun = false;
  /** Why it was given up in spite of being alive; from then on it is not listened to. */
  #failure: string | undefined;
  #busy = false;
  #onQuiet: (() => void) | undefined;
  #stopping: Promise<void> | undefined;

  constructor(launch: Launch, host: BackendHost, deps: ProcessDependencies) {
    this.#launch = launch;
    this.#host = host;
    this.#deps = deps;
    this.#permissionMode = launch.options.permissionMode;
    this.#mapper = new MessageMapper({
      isNewConversation: launch.from.type === 'start',
      redactor: deps.redactor,
      onMessage: host.onMessage,
    });
    this.#control = new ControlChannel(
      (message) => this.#write(message),
      (words) => host.onSignal({ type: 'event', event: { type: 'status', text: words } }, undefined),
    );
    this.#opening = this.#open();
    void this.#run();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get stderrTail(): string {
    return this.#child?.stderrTail ?? '';
  }

  send({ uuid, text: content, delivery }: Prompt): void {
    this.#busy = true;
    this.#write({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      session_id: '',
      uuid,
      // Without it `@path` in a prompt reads files and `/command` runs repository commands, unasked.
      ...(this.#launch.options.slashCommands === true ? {} : { client_composed: true }),
      ...(delivery === 'steer' ? { priority: 'next' } : {}),
    });
  }

  async interrupt(): Promise<void> {
    const answered = this.#control.request('interrupt');
    const child = await this.#opening.catch(() => undefined);
    if (child === undefined) return;
    const isDone = await Promise.race([answered, child.exited.then(() => true), this.#deafness()]);
    // It ends the process too, in order: the next prompt resumes. On Windows a signal would only kill.
    if (!isDone && !child.hasExited && process.platform !== 'win32') child.kill('SIGINT');
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #open(): Promise<ClaudeChild | undefined> {
    const { environment, ownEnvironment, checkVersion, redactor } = this.#deps;
    const { options } = this.#launch;
    const folders = [options.cwd, ...(options.additionalDirectories ?? [])];
    const executable = options.pathToClaudeCodeExecutable ?? this.#deps.findExecutable(folders);
    if (executable === undefined)
      throw new Error('No `claude` was found on the PATH of this server, outside the folders of the session');
    await checkVersion(executable, this.#givenUp.signal);
    if (this.#stopping !== undefined) return undefined;
    const args = await this.#prepare();
    if (this.#stopping !== undefined) return undefined;
    const env = { ...environment, ...traceVariables(this.#launch), ...options.env, ...ownEnvironment };
    const child = (this.#child = new ClaudeChild(
      { command: executable, args, cwd: options.cwd, env },
      redactor,
    ));
    this.#connect(child);
    return child;
  }

  async #prepare(): Promise<string[]> {
    const { callbacks, launchFolder, script } = this.#deps;
    const sessionId = this.#launch.claudeSessionId;
    const { port, token } = (this.#registration = await callbacks.register(sessionId, (question, signal) =>
      answerQuestion(question, signal, { host: this.#host, permissionMode: this.#permissionMode }),
    ));
    const files = (this.#files = new LaunchFiles(launchFolder));
    const config = mcpConfig(this.#launch.options, script, { port, token, sessionId });
    return [...toArguments(this.#launch, files), `--mcp-config=${files.write('mcp.json', config)}`];
  }

  #connect(child: ClaudeChild): void {
    const { stdin, stdout } = child.withPipes();
    const cutter = new LineCutter((line) => this.#receive(line));
    stdout.on('data', (chunk: Buffer) => cutter.push(chunk));
    this.#drained = new Promise<void>((resolve) => {
      stdout.once('error', () => resolve());
      stdout.once('close', () => {
        cutter.end();
        resolve();
      });
    });
    for (const line of this.#unsent) stdin.write(line);
    this.#unsent = [];
  }

  #write(message: JsonObject): void {
    const line = `${JSON.stringify(message)}\n`;
    if (this.#child === undefined) this.#unsent.push(line);
    else if (!this.#child.hasExited) this.#child.withPipes().stdin.write(line);
  }

  async #run(): Promise<void> {
    let reason: string | undefined;
    let hint: string | undefined;
    try {
      const child = await this.#opening;
      reason = child && (await Promise.race([child.exited, child.silent]));
    } catch (error) {
      reason = messageOf(error);
      if (error instanceof AppError) hint = error.hint;
    }
    await Promise.race([this.#drained, pause(drainMs)]);
    // Whatever cannot be ended here, the session must hear of the end.
    await this.stop().catch(() => undefined);
    this.#registration?.close();
    this.#files?.remove();
    this.#host.onExit({
      reason: this.#failure ?? reason ?? 'Claude Code was not started',
      stderrTail: this.stderrTail,
      neverStarted: this.#child === undefined || this.#child.neverStarted,
      hint,
      ...(this.#child?.isTransient === true ? { isTransient: true } : {}),
    });
  }

  #receive(line: string): void {
    // Other output is a stray line of Claude Code or of something that it started.
    const message = parseObject(line);
    if (message === undefined || this.#failure !== undefined || this.#control.receive(message)) return;
    if (message['type'] === 'system') {
      this.#permissionMode = asText(message['permissionMode']) ?? this.#permissionMode;
      if (message['subtype'] === 'init' && !this.#begin(message)) return;
    }
    for (const signal of this.#mapper.map(message)) {
      if (signal.type === 'activity') this.#setBusy(signal.state === 'running');
      if (signal.type === 'result') this.#setBusy(false);
      this.#host.onSignal(signal, message);
    }
  }

  /** False when it cannot be driven, or nobody could be asked: the turn is held before a tool can run. */
  #begin(init: JsonObject): boolean {
    this.#hasBegun = true;
    const problem = problemOf(init);
    if (problem === undefined) return true;
    this.#failure = `Claude Code was stopped because ${problem}`;
    // Halted at once, and then ended with all it has started.
    this.#child?.kill(process.platform === 'win32' ? 'SIGKILL' : 'SIGSTOP');
    void this.stop();
    return false;
  }

  #setBusy(busy: boolean): void {
    this.#busy = busy;
    if (!busy) this.#onQuiet?.();
  }

  /** Of a process that is still starting nobody knows whether it is deaf. */
  async #deafness(): Promise<false> {
    do await pause(interruptAnswerMs, undefined, { ref: false });
    while (!this.#hasBegun);
    return false;
  }

  async #stop(): Promise<void> {
    this.#givenUp.abort();
    const child = await this.#opening.catch(() => undefined);
    if (child === undefined) return;
    await endChild(child, this.#deps, {
      quiet: () => this.#quiet(),
      endInput: () => undefined,
      isHalted: this.#failure !== undefined,
    });
  }

  /** Interrupts the turn and waits for its result: closing at once would make Claude Code call the API once more. */
  async #quiet(): Promise<void> {
    if (!this.#busy) return;
    const quiet = new Promise<void>((resolve) => (this.#onQuiet = resolve));
    void this.#control.request('interrupt');
    await quiet;
  }
}

function problemOf(init: JsonObject): string | undefined {
  const version = asText(init['claude_code_version']);
  const server = asList(init['mcp_servers']).find((one) => isObject(one) && one['name'] === serverName);
  const status = isObject(server) ? asText(server['status']) : undefined;
  if (status !== 'connected')
    return `its permission server is ${status ?? 'missing'}: nobody could have been asked`;
  return version === undefined ? undefined : versionProblem(version);
}
