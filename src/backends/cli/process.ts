import { setTimeout as pause } from 'node:timers/promises';
import type {
  BackendHost,
  ContextUsage,
  Launch,
  McpServerState,
  Prompt,
  Rewinding,
} from '../../core/claude/backend.js';
import { AppError, messageOf } from '../../core/errors.js';
import { asText, isObject, type JsonObject } from '../../core/json.js';
import type { PermissionMode } from '../../core/options/tools.js';
import type { ClaudeChild } from '../shared/child.js';
import { ClaudeProcess, priorityOf, type Ending } from '../shared/claude-process.js';
import { contextRequest, settingsFor, toContext, toRewinding, toServers } from '../shared/controls.js';
import { isTurnStart } from '../gate/gate-proof.js';
import { HostCallbacks } from '../gate/host-callbacks.js';
import { contentOf } from '../shared/content.js';
import { usesPromptRecord } from '../shared/launch-settings.js';
import type { FindExecutable, ProcessSettings } from '../shared/settings.js';
import { toArguments } from './arguments.js';
import { ControlChannel } from './control.js';
import { answerRequest, gateHooks } from './requests.js';
import { versionProblem, type CheckVersion } from './version.js';

export interface CliProcessSettings extends ProcessSettings {
  /** Undefined when none is installed. */
  readonly findExecutable: FindExecutable;
  readonly checkVersion: CheckVersion;
}

/** After this time without an answer, the interrupt is sent as a signal. Shorter than the session's own limit. */
const interruptAnswerMs = 3_000;
/** A start rarely takes this long. If it must be faster, half of its limit. */
const doubtMs = 2_000;

/** One live `claude`, driven by its flags and streams. */
export class CliProcess extends ClaudeProcess {
  readonly #settings: CliProcessSettings;
  readonly #control: ControlChannel;
  readonly #opening: Promise<ClaudeChild | undefined>;
  readonly #abandoned = new AbortController();
  /** Lines written before Claude Code has confirmed the gate. */
  #unsent: string[] | undefined = [];
  #executable = '';
  /** Why the executable cannot be driven. */
  #misfit: AppError | undefined;
  #drained: Promise<unknown> | undefined;

  constructor(launch: Launch, host: BackendHost, settings: CliProcessSettings) {
    super(launch, host, settings);
    this.#settings = settings;
    const callbacks = new HostCallbacks(host, () => void this.interrupt().catch(() => undefined), this.proof);
    this.#control = new ControlChannel(
      (message) => this.#writeLine(message),
      (request, signal) => answerRequest(request, callbacks, signal),
    );
    this.#opening = this.#open();
    void this.run();
  }

  async interrupt(): Promise<void> {
    // At once, so that it overtakes the answer to a request that is denied with it.
    const child = this.hasBegun ? this.child : await this.#starting();
    if (child === undefined) return;
    const answered = this.#control.request('interrupt').then(
      () => true,
      () => false,
    );
    const isDone = await Promise.race([answered, child.exited.then(() => true), this.#deafness()]);
    // SIGINT also ends the process cleanly, so the next prompt resumes. On Windows a signal would kill it.
    if (!isDone && !child.hasExited && process.platform !== 'win32') child.kill('SIGINT');
  }

  async #starting(): Promise<ClaudeChild | undefined> {
    const child = await this.#opening.catch(() => undefined);
    await this.firstTurn();
    return child;
  }

  async setModel(model: string): Promise<void> {
    await this.#ask('set_model', { model });
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.followMode(mode);
    await this.#ask('set_permission_mode', { mode });
  }

  async followMode(mode: PermissionMode): Promise<void> {
    await this.#ask('apply_flag_settings', { settings: settingsFor(mode) });
  }

  async contextUsage(): Promise<ContextUsage> {
    return toContext((await this.#ask('get_context_usage', contextRequest)) as unknown as ContextUsage);
  }

  async mcpServers(): Promise<readonly McpServerState[]> {
    const { mcpServers } = await this.#ask('mcp_status');
    return toServers(mcpServers as McpServerState[]);
  }

  async rewindFiles(
    messageId: string,
    { dryRun }: { readonly dryRun: boolean },
  ): Promise<Rewinding | undefined> {
    const answer = await this.#ask('rewind_files', { user_message_id: messageId, dry_run: dryRun });
    return toRewinding(answer);
  }

  protected write(prompt: Prompt): void {
    const { uuid } = prompt;
    this.#writeLine({
      type: 'user',
      message: { role: 'user', content: contentOf(prompt) },
      parent_tool_use_id: null,
      session_id: '',
      uuid,
      // Without it, `@path` in a prompt reads files and `/command` runs repository commands without approval.
      ...(this.launch.options.slashCommands === true ? {} : { client_composed: true }),
      priority: priorityOf(prompt),
    });
  }

  protected async move(cwd: string): Promise<string | undefined> {
    const { session_id: id } = await this.#ask('claim_session', { cwd });
    return asText(id);
  }

  protected findExecutable(): string | undefined {
    return this.launch.options.pathToClaudeCodeExecutable ?? this.#settings.findExecutable(this.folders);
  }

  protected take(message: JsonObject): undefined {
    if (this.#control.receive(message)) return;
    if (isTurnStart(message) && !this.#begin(message)) return;
    this.deliver(message);
  }

  protected async live(): Promise<Ending> {
    const ending = await this.#exit();
    await this.#drained;
    return ending;
  }

  protected async end(): Promise<void> {
    this.#abandoned.abort();
    try {
      const child = await this.#opening.catch(() => undefined);
      if (child === undefined) return;
      await this.endChild(child, {
        isHalted: this.isHalted,
        interruptTurn: () => void this.#control.request('interrupt').catch(() => undefined),
        endInput: () => undefined,
      });
    } finally {
      this.#control.close();
    }
  }

  async #open(): Promise<ClaudeChild | undefined> {
    const executable = this.findExecutable();
    if (executable === undefined)
      throw new Error("`claude` was not found on the server's PATH (the session's own folders are skipped)");
    this.#executable = executable;
    const child = this.start({
      command: executable,
      args: this.#arguments(),
      cwd: this.startFolder,
      env: { ...this.environment(), ...checkpointing(this.launch.options) },
    });
    this.#connect(child);
    return child;
  }

  /** Rejects when the process ends before it answers. */
  async #ask(subtype: string, fields: JsonObject = {}): Promise<JsonObject> {
    const child = await this.#opening;
    if (child === undefined || child.hasExited) throw new Error('Claude Code has exited');
    const gone = child.exited.then((): never => {
      throw new Error('Claude Code has exited');
    });
    return Promise.race([this.#control.request(subtype, fields), gone]);
  }

  #arguments(): string[] {
    const { mcpServers } = this.launch.options;
    const config = mcpServers && this.files.write('mcp.json', JSON.stringify({ mcpServers }));
    return [
      ...toArguments(this.launch, this.files),
      ...(config === undefined ? [] : [`--mcp-config=${config}`]),
      ...(this.#settings.isParked === true ? ['--await-claim'] : []),
    ];
  }

  #connect(child: ClaudeChild): void {
    this.#drained = this.read(child);
    void this.#initialize(child);
    void this.#doubt(child);
  }

  /** No prompt is sent before the version is known, and Claude Code has confirmed that it asks the gate. */
  async #initialize(child: ClaudeChild): Promise<void> {
    try {
      const terms = await this.#control.request('initialize', this.#terms());
      if (!(await this.#isFit(terms))) return;
      const lacking = ['hooks_applied', 'hook_on_failure_supported'].find((key) => terms[key] !== true);
      if (lacking !== undefined) throw new Error(`${lacking} is ${String(terms[lacking])}`);
    } catch (error) {
      this.giveUp(
        `Claude Code was stopped because it does not let this server judge its calls: ${messageOf(error)}`,
      );
      return;
    }
    const unsent = this.#unsent ?? [];
    this.#unsent = undefined;
    this.parking.arrive();
    if (!child.hasExited) for (const line of unsent) child.withPipes().stdin.write(line);
  }

  async #isFit(terms: JsonObject): Promise<boolean> {
    if (asText(terms['claude_code_version']) !== undefined) return this.#begin(terms);
    this.#refuse(await this.#findMisfit());
    return this.givenUp === undefined;
  }

  /** Asks the executable for its version, which the start does not wait for unless something is wrong. */
  async #findMisfit(): Promise<AppError | undefined> {
    const { checkVersion, ownEnvironment } = this.#settings;
    try {
      await checkVersion(this.#executable, this.#abandoned.signal, ownEnvironment);
      return undefined;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }

  #refuse(misfit: AppError | undefined): void {
    if (misfit === undefined || this.isStopping) return;
    this.#misfit = misfit;
    this.giveUp(misfit.message);
  }

  /** A program that says nothing for so long may be something else. */
  async #doubt(child: ClaudeChild): Promise<void> {
    const ms = Math.min(doubtMs, this.launch.options.sessionInitTimeoutMs / 2);
    await Promise.race([pause(ms, undefined, { ref: false }), child.exited]);
    if (!this.#isUnexplained(child)) return;
    const misfit = await this.#findMisfit();
    if (this.#isUnexplained(child)) this.#refuse(misfit);
  }

  #isUnexplained(child: ClaudeChild): boolean {
    return this.#unsent !== undefined && !child.hasExited && !this.isStopping;
  }

  #terms(): JsonObject {
    const { options } = this.launch;
    return {
      hooks: gateHooks,
      ...(Array.isArray(options.skills) ? { skills: options.skills } : {}),
      // Not as a flag, which some versions might not know.
      ...(usesPromptRecord(options) ? {} : { systemPromptSnapshot: false }),
    };
  }

  #writeLine(message: JsonObject): void {
    const line = `${JSON.stringify(message)}\n`;
    // An interrupt must not overtake the prompt that it is about.
    if (this.#unsent !== undefined && !isOfStart(message)) this.#unsent.push(line);
    else if (this.child?.hasExited === false) this.child.withPipes().stdin.write(line);
  }

  async #exit(): Promise<Ending> {
    try {
      const child = await this.#opening;
      const reason = child && (await Promise.race([child.exited, child.silent]));
      const hasFailed = child?.neverStarted === false && this.#unsent !== undefined && !this.isStopping;
      return { reason, refusal: this.#misfit ?? (hasFailed ? await this.#findMisfit() : undefined) };
    } catch (error) {
      return { reason: messageOf(error), refusal: error instanceof AppError ? error : undefined };
    }
  }

  /** False when we cannot drive this version. A wrapper may start several, so each turn is checked. */
  #begin(init: JsonObject): boolean {
    const version = asText(init['claude_code_version']);
    const problem = version === undefined ? undefined : versionProblem(version);
    if (problem === undefined) return true;
    this.giveUp(`Claude Code was stopped because ${problem}`);
    return false;
  }

  /** Resolves when an answer is overdue. A process that is still starting is never overdue. */
  async #deafness(): Promise<false> {
    do await pause(interruptAnswerMs, undefined, { ref: false });
    while (!this.hasBegun);
    return false;
  }
}

/** Claude Code has no flag for it. */
function checkpointing({ enableFileCheckpointing }: Launch['options']): Record<string, string> {
  return enableFileCheckpointing === true ? { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' } : {};
}

/** Claude Code may ask something before it has confirmed the gate. */
function isOfStart({ type, request }: JsonObject): boolean {
  return type === 'control_response' || (isObject(request) && request['subtype'] === 'initialize');
}
