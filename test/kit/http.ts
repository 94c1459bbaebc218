/** Parts of the service in this process, on a free port of the loopback interface. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.js';
import { FairTurns } from '../../src/http/auth/fair-turns.js';
import type { Authenticator } from '../../src/http/auth/authenticator.js';
import type { Identity } from '../../src/http/auth/identity.js';
import { createEndpoint, type Endpoint, type EndpointSettings } from '../../src/http/endpoint.js';
import { guardsFor } from '../../src/http/guards.js';
import { defaultLimits, type HttpLimits } from '../../src/http/limits.js';
import { listen, type Listener, type ListenerSettings } from '../../src/http/listener.js';
import { createRoutes, type RouteSettings, type Routes } from '../../src/http/routes.js';
import { openLogin } from './open-login.js';

const silent = { log: () => undefined };

/** The address of routes that are called without a port. */
export const origin = 'http://127.0.0.1:8137';

/** What each request of the 2026 protocol carries. */
export const modernMeta = {
  [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
  [CLIENT_INFO_META_KEY]: { name: 'x', version: '1' },
  [CLIENT_CAPABILITIES_META_KEY]: {},
};

export const owner: Identity = {
  principal: 'owner',
  credential: 'test',
  scopes: ['call', 'approve', 'admin'],
};

export const exchange = { closed: new Promise<void>(() => undefined), peer: '127.0.0.1' };

/** Every path of the service for one identity, around an endpoint that answers with its name. */
export function routesFor(
  settings: Partial<RouteSettings> & {
    readonly identity?: Identity;
    readonly authenticate?: Authenticator['authenticate'];
  } = {},
): Routes {
  const { identity = owner, authenticate = async () => identity, ...rest } = settings;
  return createRoutes({
    guards: guardsFor([origin]),
    ...openLogin(identity, authenticate),
    endpointOf: async () => answering('the endpoint'),
    metrics: async () => ({ contentType: 'text/plain', text: 'a_metric 1\n' }),
    isReady: () => true,
    ...rest,
  });
}

function answering(text: string): Endpoint {
  return {
    fetch: async () => new Response(text),
    notify: undefined as never,
    close: async () => undefined,
  };
}

export function endpointOf(factory: McpServerFactory, settings: Partial<EndpointSettings> = {}): Endpoint {
  const endpoint = createEndpoint({
    factory,
    clock: systemClock,
    logger: silent,
    leases: openLogin(owner).leases,
    turns: new FairTurns(),
    maxBodyBytes: 1_048_576,
    keepAliveMs: 15_000,
    legacyIdleMs: 60_000,
    maxLegacySessions: 100,
    maxConnections: 1_000,
    ...settings,
  });
  onTestFinished(() => endpoint.close());
  return endpoint;
}

export type ListenOptions = Omit<Partial<ListenerSettings>, 'limits'> & {
  readonly limits?: Partial<HttpLimits>;
};

/** Listens until the end of the test. */
export async function listenFor(routes: Routes, { limits, ...rest }: ListenOptions = {}): Promise<Listener> {
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    tls: undefined,
    isBehindProxy: false,
    limits: { ...defaultLimits, ...limits },
    clock: systemClock,
    logger: silent,
    ...rest,
  });
  onTestFinished(() => listener.close());
  listener.serve(routes);
  return listener;
}

export interface RawConnection {
  readonly socket: Socket;
  send(text: string): void;
  /** Everything received until the connection ends. */
  readonly ended: Promise<string>;
  /** Resolves when the text received so far contains this. */
  until(text: string): Promise<string>;
}

/** A connection that sends what no HTTP client would. */
export async function rawConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  const lookers = new Set<() => void>();
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    for (const look of lookers) look();
  });
  const ended = new Promise<string>((resolve) => {
    socket.on('error', () => undefined).once('close', () => resolve(received));
  });
  await once(socket, 'connect');
  return {
    socket,
    send: (text) => void socket.write(text),
    ended,
    until: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!received.includes(text)) return;
          lookers.delete(look);
          resolve(received);
        };
        lookers.add(look);
        look();
      }),
  };
}
