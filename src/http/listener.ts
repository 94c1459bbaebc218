import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { Logger } from '../core/observability/logger.js';
import type { Routes } from './routes.js';

export interface ListenerSettings {
  readonly host: string;
  readonly port: number;
  readonly maxBodyBytes: number;
  readonly routes: Routes;
  readonly logger: Logger;
}

export interface Listener {
  /** With the actual port, without a path. */
  readonly url: string;
  /** Accepts no further requests, and resolves when all connections are closed. */
  close(): Promise<void>;
}

/** Opens the port. Rejects when it is taken. */
export async function listen(settings: ListenerSettings): Promise<Listener> {
  const { host, port, logger } = settings;
  const server = createServer((request, response) => answer(request, response, settings));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  });
  server.removeAllListeners('error').on('error', ({ message }) => {
    logger.log('warn', 'the HTTP listener reported an error', { reason: message });
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(request: IncomingMessage, response: ServerResponse, settings: ListenerSettings): void {
  const { routes, maxBodyBytes, logger } = settings;
  const exchange = {
    closed: new Promise<void>((resolve) => response.once('close', () => resolve())),
    peer: request.socket.remoteAddress ?? '',
  };
  const handle = toNodeHandler(
    { fetch: (webRequest) => routes(webRequest, exchange) },
    {
      maxRequestBodySize: maxBodyBytes,
      onerror: ({ message }) => logger.log('error', 'an HTTP request failed', { reason: message }),
    },
  );
  // A request that a server receives always has both.
  void handle(request as IncomingMessage & { method: string; url: string }, response);
}
