import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Backend, Launch } from '../../src/core/claude/backend.js';
import type { EffectiveOptions } from '../../src/core/options/index.js';
import { createSandbox, type Sandbox } from '../kit/sandbox.js';
import { startScriptedModel, type ScriptedModel } from '../kit/scripted-model.js';
import { PortSession } from './port-session.js';

export type BackendSetup = {
  /** The server's environment. The backend or its composer removes variables that sessions must not see. */
  readonly environment: Readonly<Record<string, string>>;
  /** Default: the real Claude Code. */
  readonly executable?: string;
};

export type CreateBackend = (setup: BackendSetup) => Backend;

export type LaunchChanges = Partial<Omit<Launch, 'options'>> & {
  readonly options?: Partial<EffectiveOptions>;
  /** Added to the server's environment. Undefined removes a variable. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly executable?: string;
};

/** The environment for a group of scenarios: a model, a sandbox, and the processes opened in it. */
export class Stage {
  readonly model: ScriptedModel;
  readonly sandbox: Sandbox;
  readonly #createBackend: CreateBackend;
  readonly #opened: PortSession[] = [];
  #shared: PortSession | undefined;

  constructor(model: ScriptedModel, sandbox: Sandbox, createBackend: CreateBackend) {
    this.model = model;
    this.sandbox = sandbox;
    this.#createBackend = createBackend;
  }

  open({ options, environment, executable, ...launch }: LaunchChanges = {}): PortSession {
    const merged = { ...this.sandbox.env(this.model), ...environment };
    const entries = Object.entries(merged).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const backend = this.#createBackend({
      environment: Object.fromEntries(entries),
      ...(executable === undefined ? {} : { executable }),
    });
    const session = new PortSession(backend, {
      claudeSessionId: randomUUID(),
      from: { type: 'start' },
      grantedRules: [],
      asksFirst: false,
      budgetLeftUsd: undefined,
      ...launch,
      options: { ...defaultOptions, cwd: this.sandbox.project, ...options },
    });
    this.#opened.push(session);
    return session;
  }

  /**
   * A process that scenarios share, because a cold start takes longer than they do. Not reused if a scenario left it
   * busy.
   */
  shared(): PortSession {
    if (this.#shared?.isAtRest !== true) this.#shared = this.open();
    return this.#shared;
  }

  /** The commands that the sessions started, without Claude Code itself. */
  commands(): readonly string[] {
    const own = new Set(this.#opened.map(({ process }) => process.pid));
    return this.sandbox
      .processes()
      .filter(({ pid }) => !own.has(pid))
      .map(({ command }) => command);
  }

  async endBusy(): Promise<void> {
    await Promise.all(
      this.#opened.filter((session) => !session.isAtRest).map(({ process }) => process.stop()),
    );
  }

  /** Ends everything. Fails if a process reported its exit never or twice, or is still alive. */
  async close(): Promise<void> {
    await Promise.all(this.#opened.map(({ process }) => process.stop()));
    await Promise.all(this.#opened.map(({ host }) => host.exit()));
    // A second exit report would arrive late.
    await pause(0);
    const exits = this.#opened.map(({ host }) => host.exits.length);
    const left = this.sandbox.processes();
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    await this.model.close();
    await this.sandbox.remove();
    if (left.length > 0) throw new Error(`Processes were left behind: ${JSON.stringify(left)}`);
    if (exits.some((count) => count !== 1)) throw new Error(`Exit reports per process: ${exits.join(', ')}`);
  }
}

const defaultOptions: Omit<EffectiveOptions, 'cwd'> = {
  permissionMode: 'default',
  settingSources: ['user'],
  permissionRequestTimeoutMs: 0,
  sessionInitTimeoutMs: 10_000,
  persistSession: true,
  projectSettings: 'as requested',
  notes: [],
};

/** A stage for all scenarios of the surrounding `describe`. */
export function useStage(createBackend: CreateBackend, prepare?: (sandbox: Sandbox) => void): () => Stage {
  let stage: Stage | undefined;
  beforeAll(async () => {
    const sandbox = createSandbox();
    prepare?.(sandbox);
    stage = new Stage(await startScriptedModel(), sandbox, createBackend);
  });
  afterEach(() => stage?.endBusy());
  afterAll(() => stage?.close());
  return () => {
    if (stage === undefined) throw new Error('The stage does not exist before the first scenario.');
    return stage;
  };
}
