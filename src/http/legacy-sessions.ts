import { randomUUID } from 'node:crypto';
import type { AuthInfo, McpServerFactory } from '@modelcontextprotocol/server';
import type { Clock } from '../core/clock.js';
import { problem } from './answers.js';
import type { Exchange } from './exchange.js';
import { LegacyTransport } from './legacy-transport.js';

interface LegacySession {
  readonly transport: LegacyTransport;
  usedAt: number;
  /** Requests whose answers are not complete, including the stream for notifications. */
  open: number;
}

export interface LegacySettings {
  readonly factory: McpServerFactory;
  readonly clock: Clock;
  readonly onerror: (error: Error) => void;
  readonly keepAliveMs: number;
  readonly maxBodyBytes: number;
  /** Clients often leave without saying so: an unused connection ends after this time. */
  readonly idleMs: number;
  readonly maxSessions: number;
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

  async fetch(request: Request, authInfo: AuthInfo, exchange: Exchange): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#open(request, authInfo);
    const session = this.#sessions.get(id);
    // The client initializes again after this status.
    if (session === undefined) return problem(404, -32_001, 'Session not found');
    session.usedAt = this.#settings.clock.now();
    session.open += 1;
    void exchange.closed.then(() => {
      session.open -= 1;
      session.usedAt = this.#settings.clock.now();
    });
    const response = await session.transport.handleRequest(request, { authInfo });
    if (request.method === 'GET' && response.ok) session.transport.noteStream(exchange.closed);
    return response;
  }

  async close(): Promise<void> {
    this.#stopSweep();
    await Promise.allSettled([...this.#sessions.values()].map(({ transport }) => transport.close()));
    this.#sessions.clear();
  }

  async #open(request: Request, authInfo: AuthInfo): Promise<Response> {
    const { factory, clock, maxSessions, maxBodyBytes, keepAliveMs, onerror } = this.#settings;
    if (request.method !== 'POST')
      return problem(400, -32_000, 'This request needs the Mcp-Session-Id header of an initialized session.');
    if (this.#sessions.size >= maxSessions && !this.#closeOldest())
      return problem(503, -32_000, 'Too many open connections. Close one, or try again later.');
    const transport = new LegacyTransport(clock, {
      sessionIdGenerator: () => randomUUID(),
      keepAliveMs,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, usedAt: clock.now(), open: 0 });
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    const server = await factory({ era: 'legacy', authInfo, requestInfo: request });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a callback of the SDK, which has no events
    transport.onerror = onerror;
    await server.connect(transport);
    transport.watchAnswers();
    const response = await transport.handleRequest(request, { authInfo });
    // Not an initialize request: the transport has refused it.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  /** Makes room: the client of an unused connection initializes again when it returns. */
  #closeOldest(): boolean {
    const unused = [...this.#sessions].filter(([, { open }]) => open === 0);
    const [oldest] = unused.toSorted(([, one], [, other]) => one.usedAt - other.usedAt);
    if (oldest === undefined) return false;
    const [id, { transport }] = oldest;
    this.#sessions.delete(id);
    void transport.close();
    return true;
  }

  #sweepLater(): void {
    const { clock, idleMs } = this.#settings;
    this.#stopSweep = clock.after(Math.min(idleMs, 60_000), () => {
      for (const [id, { open, usedAt, transport }] of this.#sessions) {
        if (open > 0 || clock.now() - usedAt < idleMs) continue;
        this.#sessions.delete(id);
        void transport.close();
      }
      this.#sweepLater();
    });
  }
}
