import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../core/errors.js';
import type { Logger } from '../../core/observability/logger.js';
import type { MetricsTarget } from '../../core/observability/measurements.js';

type Address = Extract<MetricsTarget, { kind: 'http' }>;

export interface MetricsPage {
  readonly contentType: string;
  text(): Promise<string>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Limits for clients that stall or flood the endpoint; a scraper stays far below them. */
const requestLimitMs = 2_000;
const maxConnections = 16;

/** Serves the metrics on the loopback interface. Rejects when the port is taken. */
export async function serveMetrics(
  { host, port }: Address,
  page: MetricsPage,
  logger: Logger,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer({ connectionsCheckingInterval: 500 }, (request, response) => {
    // Discards the body.
    request.resume();
    void answer(request, portOf(server), page, logger).then(({ status, body, headers }) => {
      response
        .writeHead(status, {
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
          connection: 'close',
          ...headers,
        })
        .end(body);
    });
  });
  server.maxConnections = maxConnections;
  server.requestTimeout = server.headersTimeout = server.timeout = requestLimitMs;
  server.on('clientError', (_error, socket) => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  });
  server.removeAllListeners('error').on('error', (error) => {
    logger.log('warn', 'the metrics endpoint reported an error', { reason: error.message });
  });
  // The endpoint must not keep the process alive.
  server.unref();
  logger.log('info', 'metrics are served', { url: `http://${authority(host, portOf(server))}/metrics` });
  return { port: portOf(server), close: () => close(server) };
}

async function answer(
  { method = '', url = '', headers }: IncomingMessage,
  port: number,
  page: MetricsPage,
  logger: Logger,
): Promise<Answer> {
  // DNS rebinding can point a web page's own name here; the Host header then holds that name.
  if (!isOwnHost(headers.host, port))
    return { status: 421, body: 'Use 127.0.0.1, localhost or [::1] as the host.\n' };
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined || (site !== undefined && site !== 'none'))
    return { status: 403, body: 'Web pages cannot read metrics.\n' };
  if (url !== '/metrics') return { status: 404, body: 'Not found. Use /metrics.\n' };
  if (method !== 'GET') return { status: 405, body: 'Use GET.\n', headers: { allow: 'GET' } };
  try {
    return { status: 200, body: await page.text(), headers: { 'content-type': page.contentType } };
  } catch (error) {
    logger.log('error', 'metrics could not be read', { reason: messageOf(error) });
    return { status: 500, body: 'The metrics could not be read.\n' };
  }
}

function isOwnHost(host: string | undefined, port: number): boolean {
  return ['127.0.0.1', 'localhost', '::1'].some((name) => host?.toLowerCase() === authority(name, port));
}

function authority(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo | null)?.port ?? 0;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
