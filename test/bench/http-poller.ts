/** One client of a service that follows a session by polling, as most models do. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NEGOTIATION, toReply, type Era } from '../kit/server-client.js';

export interface Service {
  readonly url: string;
  readonly token: string;
}

export interface Followed {
  /** The duration of each poll, in milliseconds. */
  readonly times: readonly number[];
  readonly events: number;
  /** Events that were missing, or came twice. */
  readonly wrong: number;
}

export class Poller {
  readonly #client: Client;
  readonly #transport: StreamableHTTPClientTransport;

  constructor({ url, token }: Service, era: Era) {
    this.#client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: NEGOTIATION[era] });
    this.#transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
  }

  async connect(): Promise<void> {
    await this.#client.connect(this.#transport);
  }

  async start(cwd: string): Promise<string> {
    return (await this.#call('claude_code', { prompt: 'drip', cwd, waitMs: 0 })).json.sessionId;
  }

  /** Polls until the turn has ended and all events are read, with pauses of `everyMs` on average. */
  async follow(sessionId: string, everyMs: number): Promise<Followed> {
    const times: number[] = [];
    const seen: number[] = [];
    let cursor: number | string = 0;
    await pause(Math.random() * everyMs);
    for (;;) {
      const startedAt = performance.now();
      const { json } = await this.#call('claude_code_check', {
        sessionId,
        cursor,
        waitMs: 0,
        include: ['events'],
        maxEvents: 500,
      });
      times.push(performance.now() - startedAt);
      seen.push(...(json.events ?? []).map(({ seq }) => seq));
      const isNew = json.cursor !== cursor;
      cursor = json.cursor;
      if (json.status === 'error') throw new Error(`the session failed: ${JSON.stringify(json.result)}`);
      if (json.status === 'idle' && !isNew) break;
      // A model thinks for a different time before each call. With equal pauses, clients that were delayed together once
      // would call together ever after, and the row would measure the queue of its own making.
      await pause(everyMs * (0.5 + Math.random()));
    }
    return { times, events: seen.length, wrong: wrongIn(seen) };
  }

  async close(): Promise<void> {
    // The SDK does not end a session of the 2025 protocols by itself.
    await this.#transport.terminateSession();
    await this.#client.close();
  }

  async #call(name: string, args: Record<string, unknown>): Promise<ReturnType<typeof toReply>> {
    const reply = toReply(await this.#client.callTool({ name, arguments: args }, { timeout: 60_000 }));
    if (reply.isError) throw new Error(reply.text);
    return reply;
  }
}

/** How far a list of numbers is from 1, 2, 3 … */
function wrongIn(seen: readonly number[]): number {
  const last = Math.max(0, ...seen);
  const distinct = new Set(seen).size;
  return last - distinct + (seen.length - distinct);
}
