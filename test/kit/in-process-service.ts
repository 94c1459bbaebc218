/** The service in this process: its routes without a port, with played Claude Codes, a fake clock and real MCP clients. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, type ClientCapabilities } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { composeService } from '../../src/app/service/compose-service.js';
import { planTenants } from '../../src/app/service/tenant-plans.js';
import { parseArguments } from '../../src/config/arguments.js';
import { loadSettings } from '../../src/config/load.js';
import { checkPrincipals } from '../../src/config/principals.js';
import { serviceFallbacks } from '../../src/config/service-settings.js';
import { noMeter } from '../../src/core/observability/measurements.js';
import type { Scope } from '../../src/http/auth/identity.js';
import { guardsFor } from '../../src/http/guards.js';
import type { Routes } from '../../src/http/routes.js';
import { FakeClock } from './fake-clock.js';
import { refuseComplaints } from './fixture.js';
import {
  configInProcess,
  createPlayedWorld,
  liveServers,
  openPlayed,
  type PlayedModel,
} from './in-process.js';
import type { PlayedWorld } from './played-claude.js';
import { createSandbox, type Sandbox } from './sandbox.js';
import { NEGOTIATION, toReply, type Era, type ServerClient } from './server-client.js';

export type InProcessClient = Pick<ServerClient, 'client' | 'call' | 'takesTime'> & {
  /** Of the connection, in the legacy era. */
  sessionId(): string | undefined;
};

export type ServiceScene = {
  readonly sandbox: Sandbox;
  readonly model: PlayedModel;
  readonly world: PlayedWorld;
  readonly clock: FakeClock;
  /** The root of a principal. */
  readonly rootOf: (principal: string) => string;
  /** Creates a token of a principal. */
  readonly tokenFor: (principal: string) => Promise<string>;
  /** Connects a client that acts for a principal. */
  readonly connect: (principal: string, options: ServiceClientOptions) => Promise<InProcessClient>;
  /** Sends a request without a client. */
  readonly fetch: (principal: string, request: RequestInit) => Promise<Response>;
  readonly stderr: () => string;
  readonly close: () => Promise<void>;
};

export type ServiceClientOptions = {
  readonly era: Era;
  readonly capabilities?: ClientCapabilities;
  readonly scopes?: readonly Scope[];
  /** Instead of a new one. */
  readonly token?: string;
  readonly path?: string;
};

export type ServiceOptions = {
  /** Each has a folder of its name as its root, besides the owner. */
  readonly principals?: Readonly<Record<string, object>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly envFor?: (sandbox: Sandbox) => Readonly<Record<string, string>>;
  readonly args?: readonly string[];
};

export async function startServiceInProcess(options: ServiceOptions): Promise<ServiceScene> {
  const { principals = {}, env = {}, envFor = () => ({}), args = [] } = options;
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  const { world, model } = createPlayedWorld(sandbox);
  const clock = new FakeClock(Date.now());
  const rootOf = (principal: string): string =>
    principal === 'owner' ? sandbox.project : join(sandbox.root, principal);
  for (const name of Object.keys(principals)) mkdirSync(rootOf(name), { recursive: true });
  const environment: Record<string, string> = {
    ...sandbox.env(),
    CLAUDE_CODE_MCP_ROOTS: sandbox.project,
    CLAUDE_CODE_MCP_ACCEPT_SHARED_UID: '1',
    ...env,
    ...envFor(sandbox),
  };
  const entries = Object.entries(principals).map(([name, entry]) => [
    name,
    name === 'owner' ? entry : { roots: [rootOf(name)], ...entry },
  ]);
  const file = {
    path: '/config.json',
    values: new Map(),
    warnings: [],
    principals: checkPrincipals('/config.json', Object.fromEntries(entries)),
  };
  const loaded = loadSettings(parseArguments(args).flags, environment, file, serviceFallbacks);
  const { settings } = loaded;
  const { config, stderr } = await configInProcess({ settings, environment, sandbox, clock });
  const { servers, vanished } = liveServers();
  const service = composeService(config, {
    plans: planTenants(config, loaded.principals),
    guards: guardsFor([address]),
    metrics: { meter: () => noMeter, page: async () => undefined, close: async () => undefined },
    replacements: { clock, servers, openBackend: openPlayed(world) },
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      await service.endSessions();
      await service.disconnect();
      await config.audit?.close();
      vanished();
      refuseComplaints(stderr());
    })());
  onTestFinished(close);
  let count = 0;
  let newest = Promise.resolve('');
  // One after the other: each rewrites the file.
  const tokenFor = (principal: string, scopes: readonly Scope[]): Promise<string> => {
    const name = `${principal}-${(count += 1)}`;
    newest = newest.then(() => service.tokens.create({ name, principal, scopes, now: clock.now() }));
    return newest;
  };
  return {
    sandbox,
    model,
    world,
    clock,
    rootOf,
    tokenFor: (principal) => tokenFor(principal, ['call', 'approve']),
    stderr,
    close,
    async connect(principal, { scopes = ['call', 'approve'], token: known, ...client }) {
      const token = known ?? (await tokenFor(principal, scopes));
      return connectInProcess(service.routes, { ...client, token, clock });
    },
    async fetch(principal, init) {
      const request = new Request(`${address}/mcp`, init);
      request.headers.set('authorization', `Bearer ${await tokenFor(principal, ['call'])}`);
      request.headers.set('content-type', 'application/json');
      request.headers.set('accept', 'application/json, text/event-stream');
      return fetchInProcess(service.routes, request);
    },
  };
}

async function connectInProcess(
  routes: Routes,
  options: ServiceClientOptions & { readonly token: string; readonly clock: FakeClock },
): Promise<InProcessClient> {
  const { era, token, clock, capabilities = {}, path = '/mcp' } = options;
  const client = new Client(
    { name: `kit-${era}`, version: '1.0.0' },
    { capabilities, versionNegotiation: NEGOTIATION[era] },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${address}${path}`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: (url, init) => fetchInProcess(routes, new Request(url, init)),
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    call: async (name, args = {}, { timeout = 20_000, ...rest } = {}) =>
      toReply(await client.callTool({ name, arguments: args }, { timeout, ...rest })),
    takesTime: async (ms) => clock.advance(ms),
    sessionId: () => transport.sessionId,
  };
}

const address = 'http://127.0.0.1:8137';

/** As a client on the other side of a connection: it notices when it leaves, and the service does too. */
async function fetchInProcess(routes: Routes, request: Request): Promise<Response> {
  request.headers.set('host', new URL(request.url).host);
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  request.signal.addEventListener('abort', close, { once: true });
  const response = await routes(request, { closed, peer: '127.0.0.1' });
  if (response.body === null) {
    close();
    return response;
  }
  const watched = new TransformStream({ flush: close });
  return new Response(response.body.pipeThrough(watched, { signal: request.signal }), response);
}
