import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../core/clock.js';
import { messageOf } from '../core/errors.js';
import { authorityOf } from '../core/net.js';
import type { Logger } from '../core/observability/logger.js';
import { sparingLogger } from '../core/observability/sparing-logger.js';
import { serverTls } from '../core/shared-key.js';
import { problem } from './answers.js';
import { Connections } from './connections.js';
import type { HttpLimits } from './limits.js';
import { peerOf, toWebRequest } from './node-request.js';
import { writeResponse } from './node-response.js';
import type { Routes } from './routes.js';

/** Certificate chain and private key, in PEM format. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** A secret that the clients know. It replaces a certificate. */
export interface SharedKey {
  readonly key: string;
}

export interface ListenerSettings {
  readonly host: string;
  readonly port: number;
  /** Undefined: plain HTTP. */
  readonly tls: TlsFiles | SharedKey | undefined;
  /** Whether X-Forwarded-For comes from a proxy of the operator. */
  readonly isBehindProxy: boolean;
  readonly limits: HttpLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Listener {
  readonly port: number;
  /** With the actual port: `http://127.0.0.1:8137`. */
  readonly origin: string;
  /** Starts to answer requests. Earlier ones got status 503. */
  serve(routes: Routes): void;
  /** Replaces the certificate for new connections. Throws if it is not valid. */
  renew(tls: TlsFiles): void;
  /** Resolves when no request is waiting for its answer, or after this time. */
  settled(ms: number): Promise<void>;
  /** Accepts no further requests, and resolves when all connections are closed. */
  close(): Promise<void>;
}

/** Opens the port. Rejects when that is not possible. */
export async function listen(settings: ListenerSettings): Promise<Listener> {
  const { host, port, tls, limits, clock, logger } = settings;
  let routes: Routes = async () => problem(503, -32_000, 'The service is starting. Try again in a moment.');
  const sparing = sparingLogger(logger, clock);
  const connections = new Connections(limits.maxConnections, () => {
    sparing.log('warn', 'connections are refused, because too many requests are running', {
      maxConnections: limits.maxConnections,
    });
  });
  const waiting = new Set<Promise<void>>();
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const admitted = connections.begin(incoming.socket, outgoing);
    if (admitted === undefined) return;
    const closed = new Promise<void>((resolve) => outgoing.once('close', () => resolve()));
    waiting.add(closed);
    void closed.then(() => waiting.delete(closed));
    void answer(incoming, outgoing, { ...settings, routes, closed, admitted });
  };
  const server = createFor(settings, onRequest);
  server.on('connection', (socket) => connections.add(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  });
  server.removeAllListeners('error').on('error', (error) => {
    logger.log('warn', 'the HTTP listener reported an error', { reason: messageOf(error) });
  });
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    origin: `${tls === undefined ? 'http' : 'https'}://${authorityOf(host, address.port)}`,
    serve: (next) => (routes = next),
    renew: ({ cert, key }) => (server as TlsServer).setSecureContext({ cert, key }),
    settled: (ms) =>
      new Promise((resolve) => {
        const stop = clock.after(ms, resolve);
        void Promise.all(waiting).then(() => {
          stop();
          resolve();
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        connections.closeAll();
      }),
  };
}

function createFor(
  { tls, limits }: ListenerSettings,
  onRequest: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Server | TlsServer {
  const options = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
  };
  if (tls === undefined) return createServer(options, onRequest);
  const secrets = 'cert' in tls ? tls : serverTls(tls.key);
  return createTlsServer({ ...options, ...secrets, handshakeTimeout: limits.headersMs }, onRequest);
}

interface AnswerSettings extends ListenerSettings {
  readonly routes: Routes;
  readonly closed: Promise<void>;
  readonly admitted: () => void;
}

/** The only place that catches errors of a route. */
async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  settings: AnswerSettings,
): Promise<void> {
  const { routes, closed, admitted, isBehindProxy, limits, clock, logger } = settings;
  const abort = new AbortController();
  void closed.then(() => {
    // After the last byte nothing is left to stop, and telling everyone costs as much as a small answer.
    if (!outgoing.writableFinished) abort.abort();
  });
  outgoing.once('finish', () => {
    if (incoming.complete) return;
    // The rest of the request is discarded.
    incoming.resume();
    const stop = clock.after(limits.lingerMs, () => incoming.socket.destroy());
    incoming.once('close', stop);
  });
  try {
    const request = toWebRequest(incoming, abort.signal);
    const response =
      request === undefined
        ? problem(400, -32_600, 'The address or a header of this request is not valid.')
        : await routes(request, { closed, admitted, peer: peerOf(incoming, isBehindProxy) });
    await writeResponse(response, outgoing, { clock, stallMs: limits.stallMs });
  } catch (error) {
    // A client that disconnects in the middle of its request is not worth a log line.
    if (abort.signal.aborted) return;
    logger.log('error', 'an HTTP request failed', { reason: messageOf(error) });
    if (outgoing.headersSent) outgoing.destroy();
    else await writeResponse(failure(), outgoing, { clock, stallMs: limits.stallMs });
  }
}

function failure(): Response {
  return problem(
    500,
    -32_603,
    'The service failed to answer this request. Ask the operator to look up the reason in its log.',
  );
}
