import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import type { Clock } from '../core/clock.js';
import type { Logger } from '../core/observability/logger.js';
import { cutMiddle } from '../core/text/escape.js';
import { problem } from './answers.js';
import { BodyRoom } from './body/body-room.js';
import type { AdmittedExchange } from './exchange.js';
import { LegacySessions } from './legacy-sessions.js';
import { toAuthInfo, type Identity } from './auth/identity.js';
import type { Leases } from './auth/leases.js';
import { RunningLimit } from './auth/running-limit.js';
import { withReadBody } from './read-body.js';

export interface EndpointSettings {
  readonly factory: McpServerFactory;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leases: Leases;
  readonly maxBodyBytes: number;
  /** How often a waiting call sends something, because proxies and clients give up on a silent connection. */
  readonly keepAliveMs: number;
  readonly legacyIdleMs: number;
  readonly maxLegacySessions: number;
  /** Of the service. Calls of one sender may use a part of them. */
  readonly maxConnections: number;
}

/** Of an initialize request, which is kept for as long as its connection. Each value needs far more than its bytes. */
const maxGreetingBytes = 65_536;
const maxGreetingValues = 500;

/** MCP over HTTP for one principal, in both eras. */
export interface Endpoint {
  fetch(request: Request, identity: Identity, exchange: AdmittedExchange): Promise<Response>;
  /** Announces changes to clients of the 2026 protocol. */
  readonly notify: ServerNotifier;
  close(): Promise<void>;
}

export function createEndpoint(settings: EndpointSettings): Endpoint {
  const { factory, clock, logger, maxBodyBytes, keepAliveMs } = settings;
  const onerror = ({ message }: Error): void =>
    logger.log('debug', 'protocol error', { reason: cutMiddle(message, 500) });
  const room = new BodyRoom();
  const modern = createMcpHandler(factory, {
    legacy: 'reject',
    // Sends the headers at once, and something every few seconds while a call waits.
    responseMode: 'sse',
    keepAliveMs,
    maxRequestBodySize: maxBodyBytes,
    onerror,
  });
  const legacy = new LegacySessions({
    factory,
    clock,
    leases: settings.leases,
    onerror,
    keepAliveMs,
    maxBodyBytes,
    idleMs: settings.legacyIdleMs,
    maxSessions: settings.maxLegacySessions,
    running: new RunningLimit(settings.maxConnections),
  });
  return {
    notify: modern.notify,
    async fetch(incoming, identity, exchange) {
      const take = room.open(exchange.closed);
      const hasRoom = (bytes: number): boolean => {
        const isRoom = take(bytes);
        if (!isRoom) exchange.note('too_many_requests');
        return isRoom;
      };
      const read = await withReadBody(incoming, { maxBytes: maxBodyBytes, hasRoom });
      if (read instanceof Response) return read;
      const ended = await exchange.refuseEnded();
      if (ended !== undefined) return ended;
      const { request, json, bodyBytes, values } = read;
      const isLegacy = await isLegacyRequest(request, json, { maxRequestBodySize: maxBodyBytes });
      const isLong = bodyBytes > maxGreetingBytes || values > maxGreetingValues;
      if (isLegacy && isLong && !request.headers.has('mcp-session-id'))
        return problem(
          413,
          -32_600,
          `An initialize request has at most ${maxGreetingBytes} bytes and ${maxGreetingValues} JSON values.`,
        );
      return isLegacy
        ? legacy.fetch(read, identity, exchange)
        : modern.fetch(request, { authInfo: toAuthInfo(identity), parsedBody: json });
    },
    async close() {
      await Promise.allSettled([modern.close(), legacy.close()]);
    },
  };
}
