import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  Options,
  Query,
  SDKUserMessage,
  SpareProcess,
  SpawnOptions,
} from '@anthropic-ai/claude-agent-sdk';
import type {
  BackendHost,
  ContextUsage,
  Launch,
  McpServerState,
  Prompt,
  Rewinding,
} from '../../core/claude/backend.js';
import { AppError, messageOf } from '../../core/errors.js';
import { asText, type JsonObject } from '../../core/json.js';
import type { PermissionMode } from '../../core/options/tools.js';
import type { ClaudeChild } from '../shared/child.js';
import { ClaudeProcess, priorityOf, unreadable, type Ending } from '../shared/claude-process.js';
import { contextRequest, settingsFor, toContext, toRewinding, toServers } from '../shared/controls.js';
import { contentOf } from '../shared/content.js';
import type { FindExecutable, ProcessSettings } from '../shared/settings.js';
import { callbacksFor } from './callbacks.js';
import { toSdkOptions } from './options.js';
import { Pushable } from './pushable.js';

export interface AgentSdkProcessSettings extends ProcessSettings {
  readonly loadQuery: () => Promise<
    (params: { prompt: AsyncIterable<SDKUserMessage>; options: Options }) => Query
  >;
  readonly loadPrewarm: () => Promise<(params: { options: Options }) => Promise<SpareProcess>>;
  /** Undefined if there is none; the SDK then says so. */
  readonly findExecutable: FindExecutable;
}

/** One live Claude Code behind the SDK's query(). */
export class AgentSdkProcess extends ClaudeProcess {
  readonly #settings: AgentSdkProcessSettings;
  readonly #input = new Pushable<SDKUserMessage>();
  /** All that the SDK reads: requests of Claude Code, and answers to those of the SDK. */
  readonly #control = new Readable({ read: () => undefined });
  readonly #opening: Promise<Query | undefined>;
  #query: Query | undefined;
  #spare: SpareProcess | undefined;
  #onClaimed: (query: Query) => void = () => undefined;

  constructor(launch: Launch, host: BackendHost, settings: AgentSdkProcessSettings) {
    super(launch, host, settings);
    this.#settings = settings;
    this.#opening = this.#open();
    void this.run();
  }

  async interrupt(): Promise<void> {
    // At once, so that it overtakes the answer to a request that is denied with it.
    if (this.hasBegun) return void (await this.#query?.interrupt());
    // The SDK may still be loading. Without waiting for it, the interrupt would be lost and the prompt would run.
    const query = await this.#opening.catch(() => undefined);
    await this.firstTurn();
    await query?.interrupt();
  }

  setModel(model: string): Promise<void> {
    return this.#ask((query) => query.setModel(model));
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.followMode(mode);
    await this.#ask((query) => query.setPermissionMode(mode));
  }

  followMode(mode: PermissionMode): Promise<void> {
    return this.#ask((query) => query.applyFlagSettings(settingsFor(mode)));
  }

  contextUsage(): Promise<ContextUsage> {
    return this.#ask(async (query) => toContext(await query.getContextUsage(contextRequest)));
  }

  mcpServers(): Promise<readonly McpServerState[]> {
    return this.#ask(async (query) => toServers(await query.mcpServerStatus()));
  }

  rewindFiles(messageId: string, how: { readonly dryRun: boolean }): Promise<Rewinding | undefined> {
    return this.#ask(async (query) => toRewinding(await query.rewindFiles(messageId, how)));
  }

  protected write(prompt: Prompt): void {
    this.#input.push({
      type: 'user',
      message: { role: 'user', content: contentOf(prompt) },
      parent_tool_use_id: null,
      uuid: prompt.uuid as NonNullable<SDKUserMessage['uuid']>,
      priority: priorityOf(prompt),
    });
  }

  protected async move(cwd: string): Promise<string | undefined> {
    if (this.#spare === undefined) throw new Error('Claude Code was not parked');
    this.#query = this.#spare.claim({ prompt: this.#input, options: { cwd } });
    this.#onClaimed(this.#query);
    return (await this.#spare.claimed).sessionId;
  }

  protected findExecutable(): string | undefined {
    return this.#settings.findExecutable(this.folders);
  }

  /** The SDK would only pass on other messages, which takes longer than everything that the session does with them. */
  protected take(message: JsonObject, line: string): Promise<void> | undefined {
    if (asText(message['type'])?.startsWith('control_') !== true) {
      this.deliver(message);
      return undefined;
    }
    this.#control.push(`${line}\n`);
    // By then the SDK has acted on it. Otherwise a turn could begin before the call of the hook that proves the gate.
    return nextTurn();
  }

  protected async live(): Promise<Ending> {
    try {
      // Ends with the process. The SDK passes on nothing but control messages that it does not know.
      for await (const message of (await this.#opening) ?? []) this.deliver({ ...message });
      return {};
    } catch (error) {
      const failure = messageOf(error);
      if (error instanceof AppError) return { reason: this.isStopping ? undefined : failure, refusal: error };
      return { reason: this.isStopping ? undefined : misunderstanding(failure), failure };
    }
  }

  protected async end(): Promise<void> {
    try {
      if (this.child !== undefined) {
        await this.endChild(this.child, {
          isHalted: this.isHalted,
          interruptTurn: () => void this.#query?.interrupt().catch(() => undefined),
          endInput: () => this.#input.end(),
        });
      }
    } finally {
      this.#input.end();
      this.#query?.close();
      this.#spare?.close();
    }
  }

  async #ask<T>(question: (query: Query) => Promise<T>): Promise<T> {
    const query = await this.#opening;
    if (query === undefined) throw new Error('Claude Code has exited');
    return question(query);
  }

  async #open(): Promise<Query | undefined> {
    if (this.#settings.isParked === true) return this.#park();
    const query = await this.#settings.loadQuery();
    if (this.isStopping) return undefined;
    return (this.#query = query({ prompt: this.#input, options: this.#options() }));
  }

  /** Resolves when it is claimed or has exited. */
  async #park(): Promise<Query | undefined> {
    const prewarm = await this.#settings.loadPrewarm();
    if (this.isStopping) return undefined;
    const claimed = new Promise<Query>((resolve) => (this.#onClaimed = resolve));
    this.#spare = await prewarm({ options: { ...this.#options(), cwd: this.startFolder } });
    this.parking.arrive();
    return Promise.race([claimed, this.#spare.exited.then(() => undefined)]);
  }

  #options(): Options {
    const executable = this.findExecutable();
    return {
      ...(executable === undefined ? {} : { pathToClaudeCodeExecutable: executable }),
      ...toSdkOptions(this.launch),
      ...this.#extraArguments(),
      ...callbacksFor(this.host, () => void this.interrupt().catch(() => undefined), this.proof),
      env: this.environment(),
      spawnClaudeCodeProcess: (options: SpawnOptions) => {
        const child = this.start(options);
        void child.silent.then((words) => this.#onSilence(child, words));
        void this.read(child).then(() => this.#control.push(null));
        return Object.assign(child.withPipes(), { stdout: this.#control });
      },
    };
  }

  #extraArguments(): Pick<Options, 'extraArgs'> {
    const { from, options } = this.launch;
    const { mcpServers, title } = options;
    return {
      extraArgs: {
        // The SDK would pass the servers as an argument, with their headers.
        ...(mcpServers && { 'mcp-config': this.files.write('mcp.json', JSON.stringify({ mcpServers })) }),
        // The SDK names only new sessions. Joined with `=`, because a separate value could be parsed as another flag.
        ...(typeof title === 'string' && from.type !== 'start' ? { [`name=${title}`]: null } : {}),
      },
    };
  }

  /** The SDK would wait forever for a process that has closed its output but does not exit. */
  #onSilence(child: ClaudeChild, words: string): void {
    if (child.hasExited || this.isStopping) return;
    this.givenUp = words;
    void this.stop();
  }
}

/** Undefined when the failure is about the process, because its exit explains more. */
function misunderstanding(failure: string): string | undefined {
  if (/^Claude Code\b/.test(failure)) return undefined;
  // The SDK's own errors are sentences. A TypeError from its parser would help nobody.
  return /\bUpdate Claude Code\b/.test(failure) ? failure : unreadable(failure);
}
