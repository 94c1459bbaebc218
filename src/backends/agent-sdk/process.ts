import type { Options, Query, SDKUserMessage, SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import type {
  BackendHost,
  BackendProcess,
  ContextUsage,
  Launch,
  McpServerState,
  Prompt,
  Rewinding,
} from '../../core/claude/backend.js';
import { AppError, messageOf } from '../../core/errors.js';
import type { PermissionMode } from '../../core/options/tools.js';
import type { ProcessTable } from '../../core/processes.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { ClaudeChild } from '../shared/child.js';
import { LaunchFiles } from '../shared/launch-files.js';
import { MessageMapper } from '../shared/map-message.js';
import { endChild } from '../shared/stop.js';
import { traceVariables } from '../shared/trace-variables.js';
import { callbacksFor } from './callbacks.js';
import { readContext, readServers, rewind } from './controls.js';
import { toSdkOptions } from './options.js';
import { Pushable } from './pushable.js';

export interface ProcessDependencies {
  readonly loadQuery: () => Promise<
    (params: { prompt: AsyncIterable<SDKUserMessage>; options: Options }) => Query
  >;
  readonly launchFolder: string;
  readonly processes: ProcessTable;
  /** For what is shortened here: the session takes the secrets out of the rest. */
  readonly redactor: Redactor;
  readonly executable: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** What marks and watches the session: nobody else may set it. */
  readonly ownEnvironment: Readonly<Record<string, string>>;
  /** `KEY=VALUE`, unique to this launch: how strays are found after a crash. */
  readonly marker: string;
}

/** One live Claude Code behind the SDK's query(). */
export class AgentSdkProcess implements BackendProcess {
  readonly #launch: Launch;
  readonly #host: BackendHost;
  readonly #deps: ProcessDependencies;
  readonly #input = new Pushable<SDKUserMessage>();
  readonly #mapper: MessageMapper;
  readonly #opening: Promise<Query | undefined>;
  #files: LaunchFiles | undefined;
  #query: Query | undefined;
  #child: ClaudeChild | undefined;
  /** That it was given up because it could say nothing more. */
  #silence: string | undefined;
  #busy = false;
  #onQuiet: (() => void) | undefined;
  #stopping: Promise<void> | undefined;

  constructor(launch: Launch, host: BackendHost, deps: ProcessDependencies) {
    this.#launch = launch;
    this.#host = host;
    this.#deps = deps;
    this.#mapper = new MessageMapper({
      isNewConversation: launch.from.type === 'start',
      redactor: deps.redactor,
      onMessage: host.onMessage,
    });
    this.#opening = this.#open();
    void this.#run();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get stderrTail(): string {
    return this.#child?.stderrTail ?? '';
  }

  send(prompt: Prompt): void {
    this.#busy = true;
    this.#input.push({
      type: 'user',
      message: { role: 'user', content: prompt.text },
      parent_tool_use_id: null,
      uuid: prompt.uuid as NonNullable<SDKUserMessage['uuid']>,
      ...(prompt.delivery === 'steer' ? { priority: 'next' } : {}),
    });
  }

  async interrupt(): Promise<void> {
    // The SDK may still be loading: an interrupt that did not wait for it would be lost, and the prompt would run.
    const query = await this.#opening.catch(() => undefined);
    await query?.interrupt();
  }

  setModel(model: string): Promise<void> {
    return this.#ask((query) => query.setModel(model));
  }

  setPermissionMode(mode: PermissionMode): Promise<void> {
    return this.#ask((query) => query.setPermissionMode(mode));
  }

  contextUsage(): Promise<ContextUsage> {
    return this.#ask(readContext);
  }

  mcpServers(): Promise<readonly McpServerState[]> {
    return this.#ask(readServers);
  }

  rewindFiles(messageId: string, how: { readonly dryRun: boolean }): Promise<Rewinding | undefined> {
    return this.#ask((query) => rewind(query, messageId, how));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #ask<T>(question: (query: Query) => Promise<T>): Promise<T> {
    const query = await this.#opening;
    if (query === undefined) throw new Error('Claude Code has ended');
    return question(query);
  }

  async #open(): Promise<Query | undefined> {
    const query = await this.#deps.loadQuery();
    if (this.#stopping !== undefined) return undefined;
    return (this.#query = query({ prompt: this.#input, options: this.#options() }));
  }

  async #run(): Promise<void> {
    const { failure, refusal } = await this.#listen();
    const wasStopped = this.#stopping !== undefined;
    // Whatever cannot be ended here, the session must hear of the end.
    await this.stop().catch(() => undefined);
    this.#files?.remove();
    const child = this.#child;
    const reason = wasStopped ? undefined : (refusal?.message ?? misunderstanding(failure));
    this.#host.onExit({
      reason: this.#silence ?? reason ?? (await child?.exited) ?? failure ?? 'Claude Code was not started',
      stderrTail: this.stderrTail,
      neverStarted: child === undefined || child.neverStarted,
      refusal,
      ...(child?.isTransient === true ? { isTransient: true } : {}),
    });
  }

  /** To the end; tells what went wrong with it. */
  async #listen(): Promise<{ readonly failure?: string; readonly refusal?: AppError }> {
    try {
      for await (const message of (await this.#opening) ?? []) this.#deliver(message);
      return {};
    } catch (error) {
      // After an error result the SDK throws that result once more when the stream ends.
      return error instanceof AppError ? { refusal: error } : { failure: messageOf(error) };
    }
  }

  #deliver(message: unknown): void {
    for (const signal of this.#mapper.map(message)) {
      if (signal.type === 'activity') this.#setBusy(signal.state === 'running');
      if (signal.type === 'result') this.#setBusy(false);
      this.#host.onSignal(signal, message);
    }
  }

  #setBusy(busy: boolean): void {
    this.#busy = busy;
    if (!busy) this.#onQuiet?.();
  }

  #options(): Options {
    const { executable, environment } = this.#deps;
    return {
      ...(executable === undefined ? {} : { pathToClaudeCodeExecutable: executable }),
      ...toSdkOptions(this.#launch),
      ...this.#servers(),
      ...callbacksFor(this.#host, () => void this.interrupt().catch(() => undefined)),
      env: {
        ...environment,
        ...traceVariables(this.#launch),
        ...this.#launch.options.env,
        ...this.#deps.ownEnvironment,
      },
      spawnClaudeCodeProcess: (options: SpawnOptions) => {
        const child = (this.#child = new ClaudeChild(options, this.#deps.redactor));
        void child.silent.then((words) => this.#onSilence(child, words));
        return child.withPipes();
      },
    };
  }

  /** The SDK would pass them as an argument, with their headers. */
  #servers(): Pick<Options, 'extraArgs'> {
    const { mcpServers } = this.#launch.options;
    if (mcpServers === undefined) return {};
    const files = (this.#files = new LaunchFiles(this.#deps.launchFolder));
    return { extraArgs: { 'mcp-config': files.write('mcp.json', JSON.stringify({ mcpServers })) } };
  }

  /** The SDK would wait for the end of a process that can say nothing more. */
  #onSilence(child: ClaudeChild, words: string): void {
    if (child.hasExited || this.#stopping !== undefined) return;
    this.#silence = words;
    void this.stop().catch(() => undefined);
  }

  async #stop(): Promise<void> {
    const child = this.#child;
    try {
      if (child !== undefined) {
        await endChild(child, this.#deps, {
          quiet: () => this.#quiet(),
          endInput: () => this.#input.end(),
        });
      }
    } finally {
      this.#input.end();
      this.#query?.close();
    }
  }

  /** Interrupts the turn and waits for its result: closing at once would make Claude Code call the API once more. */
  async #quiet(): Promise<void> {
    if (!this.#busy || this.#query === undefined) return;
    const quiet = new Promise<void>((resolve) => (this.#onQuiet = resolve));
    await this.#query.interrupt().catch(() => undefined);
    await quiet;
  }
}

/** Where the SDK gives up on what Claude Code said, it ends it: how the process ended then tells nothing. */
function misunderstanding(failure: string | undefined): string | undefined {
  const isAboutTheProcess = failure === undefined || /^Claude Code\b/.test(failure);
  if (isAboutTheProcess) return undefined;
  // The SDK's own refusals are sentences; a TypeError of its parser says nothing to anybody.
  return /\bUpdate Claude Code\b/.test(failure)
    ? failure
    : `Claude Code could not be understood (${failure})`;
}
