import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import type { Clock } from '../core/clock.js';
import type { Logger } from '../core/observability/logger.js';
import { cutMiddle } from '../core/text/escape.js';
import { settledWork } from '../core/unfinished-work.js';
import { problem } from './answers.js';
import { Room } from './body/room.js';
import { problemOf, subscribedIn, Subscriptions } from './body/subscriptions.js';
import type { AdmittedExchange } from './exchange.js';
import { HeldRequest } from './held-request.js';
import { LegacySessions } from './legacy-sessions.js';
import { hasLongId, maxIdChars, requestIdsIn } from './message-ids.js';
import { toAuthInfo, type Identity } from './auth/identity.js';
import { senderOf, type FairTurns } from './auth/fair-turns.js';
import type { Leases } from './auth/leases.js';
import { RunningLimit, type RunningSender } from './auth/running-limit.js';
import { withReadBody } from './read-body.js';

export interface EndpointSettings {
  readonly factory: McpServerFactory;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leases: Leases;
  /** Shared by all principals. */
  readonly turns: Pick<FairTurns, 'next'>;
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
  const { factory, clock, logger, leases, turns, maxBodyBytes, keepAliveMs } = settings;
  const onerror = ({ message }: Error): void =>
    logger.log('debug', 'protocol error', { reason: cutMiddle(message, 500) });
  const room = new Room();
  const running = new RunningLimit(settings.maxConnections);
  const subscriptions = new Subscriptions();
  /** Of the 2026 protocol, where each request has its own. */
  const servers = new WeakMap<Request, object>();
  const build: McpServerFactory = async (context) => {
    const server = await factory(context);
    if (context.requestInfo !== undefined) servers.set(context.requestInfo, server);
    return server;
  };
  const modern = createMcpHandler(build, {
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
    leases,
    turns,
    onerror,
    keepAliveMs,
    maxBodyBytes,
    idleMs: settings.legacyIdleMs,
    maxSessions: settings.maxLegacySessions,
  });
  const answer = async (
    incoming: Request,
    identity: Identity,
    exchange: AdmittedExchange,
    held: HeldRequest,
  ): Promise<Response> => {
    const take = room.open(held.ended);
    const hasRoom = (bytes: number): boolean => {
      const isRoom = take(bytes);
      if (!isRoom) exchange.note('too_many_requests');
      return isRoom;
    };
    const nextTurn = (): Promise<void> => turns.next(senderOf(identity));
    const read = await withReadBody(incoming, { maxBytes: maxBodyBytes, hasRoom, nextTurn });
    if (read instanceof Response) return read;
    const ended = await exchange.refuseEnded();
    if (ended !== undefined) return ended;
    const { request, json, bodyBytes, values } = read;
    if (hasLongId(json))
      return problem(
        400,
        -32_600,
        `The id and the progress token of a request have at most ${maxIdChars} characters.`,
      );
    const subscribed = subscribedIn(json);
    const wrong = problemOf(subscribed);
    if (wrong !== undefined) return problem(400, -32_602, wrong);
    const isLegacy = await isLegacyRequest(request, json, { maxRequestBodySize: maxBodyBytes });
    const isLong = bodyBytes > maxGreetingBytes || values > maxGreetingValues;
    if (isLegacy && isLong && !request.headers.has('mcp-session-id'))
      return problem(
        413,
        -32_600,
        `An initialize request has at most ${maxGreetingBytes} bytes and ${maxGreetingValues} JSON values.`,
      );
    const count = isLegacy ? requestIdsIn(json).length : 1;
    if (
      !running.begin(runningSender(identity), held.ended, count) ||
      !subscriptions.take(subscribed.length, held.ended)
    ) {
      exchange.note('too_many_requests');
      return problem(429, -32_000, 'Too many requests. Try again later.', { 'retry-after': '1' });
    }
    if (await leases.endsDuring(identity, nextTurn())) {
      const refused = await exchange.refuseEnded();
      if (refused !== undefined) return refused;
    }
    if (isLegacy) return legacy.fetch(read, identity, { ...exchange, held });
    const begun = modern.fetch(request, { authInfo: toAuthInfo(identity), parsedBody: json });
    // Once the client has left, nothing more begins.
    held.until(Promise.allSettled([begun, exchange.closed]).then(() => settledWork(servers.get(request))));
    return begun;
  };
  return {
    notify: modern.notify,
    async fetch(incoming, identity, exchange) {
      const held = new HeldRequest(exchange.closed);
      try {
        return await answer(incoming, identity, exchange, held);
      } finally {
        held.begun();
      }
    },
    async close() {
      await Promise.allSettled([modern.close(), legacy.close()]);
    },
  };
}

function runningSender({ principal, credential, scopes }: Identity): RunningSender {
  return { principal, credential, mayApprove: scopes.includes('approve') };
}
