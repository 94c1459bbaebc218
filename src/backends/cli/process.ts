import { setTimeout as pause } from 'node:timers/promises';
import type { BackendHost, Launch, Prompt } from '../../core/claude/backend.js';
import { AppError, messageOf } from '../../core/errors.js';
import { asList, asText, isObject, parseObject, type JsonObject } from '../../core/json.js';
import type { ClaudeChild } from '../shared/child.js';
import { ClaudeProcess, priorityOf, unreadable, type Ending } from '../shared/claude-process.js';
import { LineCutter } from '../shared/lines.js';
import type { FindExecutable, ProcessSettings } from '../shared/settings.js';
import { toArguments } from './arguments.js';
import { ControlChannel } from './control.js';
import { answerQuestion } from './permission/answer.js';
import type { CallbackServer, Registration } from './permission/callback-server.js';
import { mcpConfig, type ScriptLaunch } from './permission/config.js';
import { serverName } from './permission/protocol.js';
import { versionProblem, type CheckVersion } from './version.js';

export interface CliProcessSettings extends ProcessSettings {
  /** Undefined when none is installed. */
  readonly findExecutable: FindExecutable;
  readonly script: ScriptLaunch;
  readonly callbacks: CallbackServer;
  readonly checkVersion: CheckVersion;
}

/** After this time without an answer, the interrupt is sent as a signal. Shorter than the session's own limit. */
const interruptAnswerMs = 3_000;
/** Time to read output that is still in the pipe. Limited, because a surviving child may hold the pipe open. */
const drainMs = 500;

/** One live `claude`, driven by its flags and streams. */
export class CliProcess extends ClaudeProcess {
  readonly #settings: CliProcessSettings;
  readonly #control: ControlChannel;
  readonly #opening: Promise<ClaudeChild | undefined>;
  readonly #abandoned = new AbortController();
  #registration: Registration | undefined;
  /** Lines written before the process exists. */
  #unsent: string[] = [];
  #drained: Promise<unknown> | undefined;
  #permissionMode: string;
  #hasBegun = false;

  constructor(launch: Launch, host: BackendHost, settings: CliProcessSettings) {
    super(launch, host, settings);
    this.#settings = settings;
    this.#permissionMode = launch.options.permissionMode;
    this.#control = new ControlChannel(
      (message) => this.#writeLine(message),
      (words) => host.onSignal({ type: 'event', event: { type: 'status', text: words } }, undefined),
    );
    this.#opening = this.#open();
    void this.run();
  }

  async interrupt(): Promise<void> {
    const answered = this.#control.request('interrupt');
    const child = await this.#opening.catch(() => undefined);
    if (child === undefined) return;
    const isDone = await Promise.race([answered, child.exited.then(() => true), this.#deafness()]);
    // SIGINT also ends the process cleanly, so the next prompt resumes. On Windows a signal would kill it.
    if (!isDone && !child.hasExited && process.platform !== 'win32') child.kill('SIGINT');
  }

  protected write(prompt: Prompt): void {
    const { uuid, text: content } = prompt;
    this.#writeLine({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      session_id: '',
      uuid,
      // Without it, `@path` in a prompt reads files and `/command` runs repository commands without approval.
      ...(this.launch.options.slashCommands === true ? {} : { client_composed: true }),
      priority: priorityOf(prompt),
    });
  }

  protected async live(): Promise<Ending> {
    const ending = await this.#exit();
    await Promise.race([this.#drained, pause(drainMs)]);
    return ending;
  }

  protected async end(): Promise<void> {
    this.#abandoned.abort();
    try {
      const child = await this.#opening.catch(() => undefined);
      if (child === undefined) return;
      await this.endChild(child, {
        isHalted: this.givenUp !== undefined,
        interruptTurn: () => void this.#control.request('interrupt'),
        endInput: () => undefined,
      });
    } finally {
      this.#registration?.close();
    }
  }

  async #open(): Promise<ClaudeChild | undefined> {
    const { findExecutable, checkVersion, ownEnvironment } = this.#settings;
    const { options } = this.launch;
    const executable = options.pathToClaudeCodeExecutable ?? findExecutable(this.folders);
    if (executable === undefined)
      throw new Error("`claude` was not found on the server's PATH (the session's own folders are skipped)");
    // Opened before the first process of this launch, which may hang.
    void this.files;
    await checkVersion(executable, this.#abandoned.signal, ownEnvironment);
    if (this.isStopping) return undefined;
    const args = await this.#prepare();
    if (this.isStopping) return undefined;
    const child = this.start({ command: executable, args, cwd: options.cwd, env: this.environment() });
    this.#connect(child);
    return child;
  }

  async #prepare(): Promise<string[]> {
    const { callbacks, script } = this.#settings;
    const sessionId = this.launch.claudeSessionId;
    const { port, token } = (this.#registration = await callbacks.register(sessionId, (question, signal) =>
      answerQuestion(question, signal, { host: this.host, permissionMode: this.#permissionMode }),
    ));
    const config = mcpConfig(this.launch.options, script, { port, token, sessionId });
    return [
      ...toArguments(this.launch, this.files, [script.node, script.path]),
      `--mcp-config=${this.files.write('mcp.json', config)}`,
    ];
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

  #writeLine(message: JsonObject): void {
    const line = `${JSON.stringify(message)}\n`;
    if (this.child === undefined) this.#unsent.push(line);
    else if (!this.child.hasExited) this.child.withPipes().stdin.write(line);
  }

  async #exit(): Promise<Ending> {
    try {
      const child = await this.#opening;
      return { reason: child && (await Promise.race([child.exited, child.silent])) };
    } catch (error) {
      return { reason: messageOf(error), refusal: error instanceof AppError ? error : undefined };
    }
  }

  /** Nothing that Claude Code says may end more than its own session. */
  #receive(line: string): void {
    try {
      this.#take(line);
    } catch (error) {
      this.#giveUp(unreadable(messageOf(error)));
    }
  }

  #take(line: string): void {
    // Other output is a stray line from Claude Code or from a process that it started.
    const message = parseObject(line);
    if (message === undefined || this.givenUp !== undefined || this.#control.receive(message)) return;
    if (message['type'] === 'system') {
      this.#permissionMode = asText(message['permissionMode']) ?? this.#permissionMode;
      if (message['subtype'] === 'init' && !this.#begin(message)) return;
    }
    this.deliver(message);
  }

  /** False when we cannot drive this version, or it has no way to ask for permission. Stops before a tool can run. */
  #begin(init: JsonObject): boolean {
    this.#hasBegun = true;
    const problem = problemOf(init);
    if (problem === undefined) return true;
    this.#giveUp(`Claude Code was stopped because ${problem}`);
    return false;
  }

  /** Suspends it at once, then ends it with all its descendants. */
  #giveUp(why: string): void {
    this.givenUp = why;
    this.child?.kill(process.platform === 'win32' ? 'SIGKILL' : 'SIGSTOP');
    void this.stop();
  }

  /** Resolves when an answer is overdue. A process that is still starting is never overdue. */
  async #deafness(): Promise<false> {
    do await pause(interruptAnswerMs, undefined, { ref: false });
    while (!this.#hasBegun);
    return false;
  }
}

function problemOf(init: JsonObject): string | undefined {
  const version = asText(init['claude_code_version']);
  const server = asList(init['mcp_servers']).find((one) => isObject(one) && one['name'] === serverName);
  const status = isObject(server) ? asText(server['status']) : undefined;
  if (status !== 'connected')
    return `its permission server is ${status ?? 'missing'}, so no approver could be asked`;
  return version === undefined ? undefined : versionProblem(version);
}
