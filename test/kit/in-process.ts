/** The middle rung: the whole server in this process, behind a real MCP client, with a played Claude Code and a fake clock. */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';
import { createApp, type App, type AppConfig, type Replacements } from '../../src/app/app.js';
import { composeAudit } from '../../src/app/compose-audit.js';
import { AgentSdkProcess } from '../../src/backends/agent-sdk/process.js';
import { parseArguments } from '../../src/config/arguments.js';
import { loadSettings } from '../../src/config/load.js';
import { depthVariable } from '../../src/config/settings.js';
import type { Backend, BackendHost, Launch } from '../../src/core/claude/backend.js';
import { createLogger } from '../../src/observability/logger.js';
import { createRedactor } from '../../src/observability/redact/redact.js';
import { Servers } from '../../src/state/server-mark.js';
import * as processes from '../../src/platform/processes.js';
import { FakeClock } from './fake-clock.js';
import { refuseComplaints, type SceneOptions } from './fixture.js';
import { unwatchedLaunches } from './launches.js';
import { outputSchemas } from './output-schemas.js';
import { playedQuery, type PlayedWorld } from './played-claude.js';
import { RequestLog } from './request-log.js';
import { createSandbox, type Sandbox } from './sandbox.js';
import { ScriptBook } from './script-book.js';
import { NEGOTIATION, toReply, type ServerClient } from './server-client.js';
import type { ScriptedModel } from './scripted-model.js';

export type InProcessServer = Pick<
  ServerClient,
  'client' | 'call' | 'stdout' | 'stderr' | 'takesTime' | 'close'
>;

/** The servers of this machine, by process id. They all run in one process, so their ids are invented. */
const alive = new Map<number, string>();
const pids = new WeakMap<InProcessServer, number>();
const apps = new WeakMap<InProcessServer, App>();
let lastPid = 1_000_000;

/** The server behind the connection, for more clients of the same sessions, such as those over HTTP. */
export function appOf(server: InProcessServer): App {
  const app = apps.get(server);
  if (app === undefined) throw new Error('This server does not run in this process');
  return app;
}

/** To other servers this one is dead from now on, as after a SIGKILL. */
export function vanish(server: InProcessServer): void {
  alive.delete(pids.get(server) ?? 0);
}

/** To other servers this one is alive, although it does nothing any more. */
export function revive(server: InProcessServer): void {
  const pid = pids.get(server) ?? 0;
  alive.set(pid, `start of ${pid}`);
}

export type PlayedModel = Pick<ScriptedModel, 'when' | 'requests' | 'request'>;

export type InProcessScene = {
  readonly server: InProcessServer;
  readonly model: PlayedModel;
  readonly sandbox: Sandbox;
  readonly clock: FakeClock;
  readonly world: PlayedWorld;
};

export type InProcessOptions = Omit<SceneOptions, 'entry' | 'cwd'> & {
  /** For an environment that names folders of the sandbox. */
  readonly envFor?: (sandbox: Sandbox) => Readonly<Record<string, string>>;
};

/** As `startScene`, without a process: use it for whatever does not need the real Claude Code. */
export async function startInProcess(options: InProcessOptions): Promise<InProcessScene> {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  const { world, model } = createPlayedWorld(sandbox);
  const clock = new FakeClock(Date.now());
  const server = await connectInProcess({ sandbox, clock, world }, options);
  return { server, model, sandbox, clock, world };
}

/** The scripts of a scene, and what has been asked of them. */
export function createPlayedWorld({ configDir }: Pick<Sandbox, 'configDir'>): {
  readonly world: PlayedWorld;
  readonly model: PlayedModel;
} {
  const world: PlayedWorld = {
    book: new ScriptBook(),
    requests: new RequestLog(),
    configDir,
    histories: new Map(),
    launches: [],
  };
  return {
    world,
    model: {
      when: (prompt, steps) => world.book.add(prompt, steps),
      requests: (sessionId) => world.requests.of(sessionId),
      request: (matches) => world.requests.first(matches),
    },
  };
}

/** Ends the server and starts another one on the same home, state and clock. */
export async function restartInProcess(
  scene: InProcessScene,
  options: InProcessOptions,
): Promise<InProcessScene> {
  await scene.server.close();
  return { ...scene, server: await connectInProcess(scene, options) };
}

/** Starts a second server beside the first, on the same home, state and clock. */
export async function joinInProcess(
  scene: InProcessScene,
  options: InProcessOptions,
): Promise<InProcessScene> {
  return { ...scene, server: await connectInProcess(scene, options) };
}

async function connectInProcess(
  { sandbox, clock, world }: Pick<InProcessScene, 'sandbox' | 'clock' | 'world'>,
  { era, env = {}, envFor = () => ({}), args = [], capabilities = {} }: InProcessOptions,
): Promise<InProcessServer> {
  const environment: Record<string, string> = { ...sandbox.env(), ...env, ...envFor(sandbox) };
  const { settings } = loadSettings(parseArguments(args).flags, environment);
  const { config, stderr } = await configInProcess({ settings, environment, sandbox, clock });
  const checked = await outputSchemas(settings);
  const { pid, servers, vanished } = liveServers();
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  let stdout = '';
  const send = theirs.send.bind(theirs);
  theirs.send = (message, sendOptions) => {
    stdout += `${JSON.stringify(message)}\n`;
    return send(message, sendOptions);
  };
  const app = await createApp(config, {
    clock,
    servers,
    openBackend: openPlayed(world),
    serve: (factory) => {
      const handle = serveStdio(factory, { transport: theirs });
      return { ended: new Promise(() => undefined), close: () => handle.close() };
    },
  });
  app.start();
  const client = new Client(
    { name: `kit-${era}`, version: '1.0.0' },
    { capabilities, versionNegotiation: NEGOTIATION[era] },
  );
  await client.connect(ours);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      await client.close();
      await app.close();
      vanished();
      refuseComplaints(stderr());
    })());
  onTestFinished(close);
  const server: InProcessServer = {
    client,
    call: async (name, callArgs = {}, { timeout = 20_000, ...rest } = {}) =>
      toReply(checked(name, await client.callTool({ name, arguments: callArgs }, { timeout, ...rest }))),
    stdout: () => stdout,
    stderr,
    takesTime: async (ms) => clock.advance(ms),
    close,
  };
  pids.set(server, pid);
  apps.set(server, app);
  return server;
}

/** What the process supplies to the built server. */
export async function configInProcess(wanted: {
  readonly settings: AppConfig['settings'];
  readonly environment: Readonly<Record<string, string>>;
  readonly sandbox: Sandbox;
  readonly clock: FakeClock;
}): Promise<{ readonly config: AppConfig; readonly stderr: () => string }> {
  const { settings, environment, sandbox, clock } = wanted;
  let stderr = '';
  const redactor = createRedactor(environment);
  redactor.learn(settings.resumeSecret === undefined ? [] : [settings.resumeSecret]);
  const logger = createLogger(settings.logLevel, {
    write: (line) => void (stderr += line),
    isTerminal: false,
    now: () => clock.now(),
    redactor,
  });
  const { home, project: cwd } = sandbox;
  const { auditLog } = settings;
  const place = 'CLAUDE_CODE_MCP_AUDIT_LOG';
  const config = {
    settings,
    version: '0.0.0-test',
    logger,
    audit:
      auditLog === undefined
        ? undefined
        : await composeAudit(auditLog, { settings, place, logger, redactor, environment, home }),
    redactor,
    environment,
    executable: undefined,
    pageFolder: '',
    watchdog: '',
    userProbe: '/nowhere',
    home,
    cwd,
    depth: Number.parseInt(environment[depthVariable] ?? '0', 10) || 0,
  };
  return { config, stderr: () => stderr };
}

/** A server with an invented process id, alive until it has vanished. */
export function liveServers(): {
  readonly pid: number;
  readonly servers: Servers;
  readonly vanished: () => void;
} {
  const pid = (lastPid += 1);
  alive.set(pid, `start of ${pid}`);
  return {
    pid,
    servers: new Servers({ pid, startTimeOf: async (one) => alive.get(one) }),
    vanished: () => void alive.delete(pid),
  };
}

/** Plays Claude Code. Transcripts go to the folder that the session's environment names. */
export function openPlayed(world: PlayedWorld): NonNullable<Replacements['openBackend']> {
  return async ({ redactor }, { environment, stateDir }, ids) => {
    const { CLAUDE_CONFIG_DIR: configDir = world.configDir } = environment;
    const launches = unwatchedLaunches(stateDir);
    return playedBackend({ ...world, configDir }, { environment, launches, redactor, ids });
  };
}

function playedBackend(
  world: PlayedWorld,
  settings: Pick<
    ConstructorParameters<typeof AgentSdkProcess>[2],
    'environment' | 'launches' | 'redactor' | 'ids'
  >,
): Backend {
  const query = playedQuery(world);
  const open = (launch: Launch, host: BackendHost, isParked = false): AgentSdkProcess =>
    new AgentSdkProcess(launch, host, {
      ...settings,
      isParked,
      loadQuery: async () => query,
      loadPrewarm: () => Promise.reject(new Error('A played Claude Code does not wait for sessions')),
      processes,
      depth: { variable: 'PLAYED', level: 1 },
      findExecutable: () => undefined,
      ownEnvironment: {},
      marker: 'played',
    });
  return {
    name: 'agent-sdk',
    startTimeoutMs: 10_000,
    prepare: async () => undefined,
    open: (launch, host) => open(launch, host),
    park: (launch, host) => open(launch, host, true),
  };
}
