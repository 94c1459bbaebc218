import { randomUUID } from 'node:crypto';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { Clock } from '../core/clock.js';
import { settledWork } from '../core/unfinished-work.js';
import { problem } from './answers.js';
import { isSameCredential, toAuthInfo, type Identity } from './auth/identity.js';
import { senderOf, type FairTurns } from './auth/fair-turns.js';
import type { Leases } from './auth/leases.js';
import type { AdmittedExchange } from './exchange.js';
import type { HeldRequest } from './held-request.js';
import { LegacyTransport } from './legacy-transport.js';
import { requestIdsIn } from './message-ids.js';
import type { ReadRequest } from './read-body.js';

interface LegacySession {
  readonly transport: LegacyTransport;
  readonly server: object;
  /** The credential that opened it. */
  readonly identity: Identity;
  /** Gives up the lease on that credential. */
  readonly release: () => void;
  usedAt: number;
  /** Requests whose answers are not complete, including the stream for notifications. */
  open: number;
}

export interface LegacySettings {
  readonly factory: McpServerFactory;
  readonly clock: Clock;
  readonly leases: Leases;
  readonly turns: Pick<FairTurns, 'next'>;
  readonly onerror: (error: Error) => void;
  readonly keepAliveMs: number;
  readonly maxBodyBytes: number;
  /** Clients often leave without saying so: an unused connection ends after this time. */
  readonly idleMs: number;
  readonly maxSessions: number;
}

interface LegacyExchange extends AdmittedExchange {
  /** A request of the 2025 protocols may contain many calls, which run on when their client leaves. */
  readonly held: HeldRequest;
}

/** Connections of the 2025 protocols over HTTP. Each has its own MCP server, found by the session id in a header. */
export class LegacySessions {
  readonly #sessions = new Map<string, LegacySession>();
  readonly #settings: LegacySettings;
  #stopSweep: () => void = () => undefined;

  constructor(settings: LegacySettings) {
    this.#settings = settings;
    this.#sweepLater();
  }

  async fetch(read: ReadRequest, identity: Identity, exchange: LegacyExchange): Promise<Response> {
    const { request, json } = read;
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#open(read, identity);
    const session = this.#sessions.get(id);
    // The client initializes again after this status. Forms were offered to the credential that opened the session, so
    // another one must not answer them.
    if (session === undefined || !isSameCredential(session.identity, identity)) {
      if (session !== undefined) exchange.note('foreign_connection');
      return problem(
        404,
        -32_001,
        'Session not found: this MCP connection has ended, perhaps because the service was restarted. Connect again.',
      );
    }
    const ids = requestIdsIn(json);
    if (session.transport.isAmbiguous(ids))
      return problem(
        400,
        -32_600,
        'Another request of this connection has the same id and is not answered yet. Use a new id for each request.',
      );
    session.usedAt = this.#settings.clock.elapsed();
    session.open += 1;
    void exchange.closed.then(() => {
      session.open -= 1;
      session.usedAt = this.#settings.clock.elapsed();
    });
    const { transport, server } = session;
    const response = await transport
      .handleRequest(request, { authInfo: toAuthInfo(identity), parsedBody: json })
      // A call that is cancelled is answered at once, and may run on.
      .finally(() => exchange.held.until(transport.answered(ids).then(() => settledWork(server, ids))));
    if (request.method === 'GET' && response.ok) transport.noteStream(exchange.closed);
    return response;
  }

  async close(): Promise<void> {
    this.#stopSweep();
    await Promise.allSettled([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #open({ request, json }: ReadRequest, identity: Identity): Promise<Response> {
    const { factory, clock, leases, turns, maxSessions, maxBodyBytes, keepAliveMs, onerror } = this.#settings;
    if (request.method !== 'POST')
      return problem(400, -32_000, 'This request needs the Mcp-Session-Id header of an initialized session.');
    if (this.#sessions.size >= maxSessions && !this.#closeOldest())
      return problem(503, -32_000, 'Too many open connections. Close one, or try again later.');
    const transport = new LegacyTransport(clock, {
      nextTurn: () => turns.next(senderOf(identity)),
      sessionIdGenerator: () => randomUUID(),
      keepAliveMs,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => {
        const release = leases.hold(identity, () => void this.#end(id));
        this.#sessions.set(id, { transport, server, identity, release, usedAt: clock.elapsed(), open: 0 });
      },
      onsessionclosed: (id) => {
        this.#forget(id);
      },
    });
    const authInfo = toAuthInfo(identity);
    const server = await factory({ era: 'legacy', authInfo, requestInfo: request });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a callback of the SDK, which has no events
    transport.onerror = onerror;
    await server.connect(transport);
    transport.watchMessages();
    const response = await transport.handleRequest(request, { authInfo, parsedBody: json });
    // Not an initialize request: the transport has refused it.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async #end(id: string): Promise<void> {
    const transport = this.#sessions.get(id)?.transport;
    this.#forget(id);
    await transport?.close();
  }

  #forget(id: string): void {
    this.#sessions.get(id)?.release();
    this.#sessions.delete(id);
  }

  /** Makes room: the client of an unused connection initializes again when it returns. */
  #closeOldest(): boolean {
    const unused = [...this.#sessions].filter(([, { open }]) => open === 0);
    const [oldest] = unused.toSorted(([, one], [, other]) => one.usedAt - other.usedAt);
    if (oldest === undefined) return false;
    void this.#end(oldest[0]);
    return true;
  }

  #sweepLater(): void {
    const { clock, idleMs } = this.#settings;
    this.#stopSweep = clock.after(Math.min(idleMs, 60_000), () => {
      for (const [id, { open, usedAt }] of this.#sessions) {
        if (open === 0 && clock.elapsed() - usedAt >= idleMs) void this.#end(id);
      }
      this.#sweepLater();
    });
  }
}
