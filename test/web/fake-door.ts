import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  CallName,
  Calls,
  Card,
  PageError,
  PersonAnswer,
  SessionRow,
  Settlement,
  StreamMessage,
  TimelineEvent,
} from '../../src/page/contract.js';
import { me } from './samples.js';

type Handlers = { [Name in CallName]?: (input: Calls[Name]['input']) => Calls[Name]['output'] | PageError };

const built = fileURLToPath(new URL('../../dist/page', import.meta.url));
const files: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/assets/page.js': ['page.js', 'text/javascript'],
  '/assets/style.css': ['style.css', 'text/css'],
  '/assets/icon.svg': ['icon.svg', 'image/svg+xml'],
};
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

interface Reader {
  readonly response: ServerResponse;
  readonly sessionId: string | null;
  sent: number;
}

/** Speaks the contract from scripted data, so that the page can be tested in a browser without sessions. */
export class FakeDoor {
  readonly answers: PersonAnswer[] = [];
  readonly calls: { readonly name: string; readonly input: unknown }[] = [];
  readonly streams: string[] = [];
  /** Override what a call answers. */
  readonly handlers: Handlers = {};
  cards: Card[] = [];
  rows: SessionRow[] = [];
  events = new Map<string, TimelineEvent[]>();
  /** Answers wait until they are released. */
  holdAnswers = false;
  isDown = false;
  refuseStreams = false;
  isSignedOut = false;
  readonly #server: Server;
  readonly #readers = new Set<Reader>();
  readonly #held: (() => void)[] = [];
  #beat: ReturnType<typeof setInterval> | undefined;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<FakeDoor> {
    const door = new FakeDoor();
    await new Promise<void>((resolve) => door.#server.listen(0, '127.0.0.1', resolve));
    door.#beat = setInterval(() => door.send({ type: 'beat', now: Date.now() }), 5000);
    return door;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  get openStreams(): number {
    return this.#readers.size;
  }

  ask(card: Card): void {
    this.cards.push(card);
    this.send({ type: 'asked', card });
  }

  settle(settlement: Settlement): void {
    this.cards = this.cards.filter(({ requestId }) => requestId !== settlement.requestId);
    this.send({ type: 'settled', settlement });
  }

  send(message: StreamMessage): void {
    for (const reader of this.#readers) write(reader, message);
  }

  /** Ends all streams with this message. */
  end(message: StreamMessage): void {
    this.send(message);
    for (const { response } of this.#readers) response.end();
  }

  addEvents(sessionId: string, events: readonly TimelineEvent[]): void {
    this.events.set(sessionId, [...(this.events.get(sessionId) ?? []), ...events]);
    for (const reader of this.#readers) {
      if (reader.sessionId === sessionId) write(reader, { type: 'events', sessionId, events, dropped: 0 });
    }
  }

  release(): void {
    for (const go of this.#held.splice(0)) go();
  }

  /** Ends all streams, and refuses new ones until it is up again. */
  setDown(isDown: boolean): void {
    this.isDown = isDown;
    if (isDown) this.#server.closeAllConnections();
  }

  /** Stops the beat, as after sleep: the connection stays and nothing arrives. */
  silence(): void {
    clearInterval(this.#beat);
  }

  async close(): Promise<void> {
    clearInterval(this.#beat);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://page');
    response.setHeader('content-security-policy', policy);
    response.setHeader('cache-control', 'no-store');
    const file = files[url.pathname];
    if (file !== undefined) {
      response.setHeader('content-type', file[1]);
      response.end(await readFile(join(built, file[0])));
    } else if (this.isDown) {
      request.socket.destroy();
    } else if (url.pathname === '/api/stream') {
      this.#stream(url, request, response);
    } else {
      await this.#call(url.pathname.replace('/api/', '') as CallName, request, response);
    }
  }

  #isSignedIn(request: IncomingMessage): boolean {
    return (
      !this.isSignedOut && request.headers['page-key'] === 'key' && request.headers.cookie === 'device=1'
    );
  }

  #stream(url: URL, request: IncomingMessage, response: ServerResponse): void {
    this.streams.push(url.search);
    if (!this.#isSignedIn(request) || this.refuseStreams) {
      response.writeHead(this.refuseStreams ? 503 : 401).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const reader: Reader = { response, sessionId: url.searchParams.get('session'), sent: 0 };
    this.#readers.add(reader);
    response.on('close', () => this.#readers.delete(reader));
    write(reader, { type: 'hello', now: Date.now(), version: '1.0.0' });
    write(reader, { type: 'inbox', cards: this.cards, settled: [] });
    write(reader, { type: 'sessions', rows: this.rows });
    if (reader.sessionId === null) return;
    const after = Number(url.searchParams.get('after'));
    const events = (this.events.get(reader.sessionId) ?? []).filter(({ seq }) => seq > after);
    write(reader, { type: 'events', sessionId: reader.sessionId, events, dropped: 0 });
  }

  async #call(name: CallName, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const input = JSON.parse(Buffer.concat(chunks).toString()) as never;
    this.calls.push({ name, input });
    response.setHeader('content-type', 'application/json');
    const isEntry = name === 'pair' || name === 'signIn';
    if (!isEntry && !this.#isSignedIn(request)) {
      const error = { reason: 'signed_out', message: 'This device is signed out.', hasPassword: true };
      response.writeHead(401).end(JSON.stringify({ error }));
      return;
    }
    if (name === 'answer' && this.holdAnswers) await new Promise<void>((go) => this.#held.push(go));
    const answer = (this.handlers[name] ?? this.#defaults[name])?.(input) ?? {};
    if ('reason' in answer) {
      response.writeHead(409).end(JSON.stringify({ error: answer }));
      return;
    }
    if (isEntry) response.setHeader('set-cookie', 'device=1; HttpOnly; SameSite=Strict; Path=/');
    response.end(JSON.stringify(answer));
  }

  readonly #defaults: Handlers = {
    me: () => me,
    pair: ({ code }) =>
      code === 'good' && this.calls.filter(({ name }) => name === 'pair').length === 1
        ? { device: me.device, key: 'key' }
        : { reason: 'wrong_code', message: 'This link was used or is too old. Run the command again.' },
    signIn: ({ password }) =>
      password === 'good'
        ? { device: me.device, key: 'key' }
        : { reason: 'password_refused', message: 'The password is wrong.' },
    answer: (answer) => {
      this.answers.push(answer);
      const card = this.cards.find(({ requestId }) => requestId === answer.requestId);
      const settlement: Settlement = {
        requestId: answer.requestId,
        sessionId: card?.sessionId ?? '',
        decision: answer.decision === 'deny' ? 'deny' : 'allow',
        by: 'page',
        device: me.device.name,
        at: Date.now(),
      };
      this.settle(settlement);
      return settlement;
    },
    sessions: ({ search = '', status, offset, limit }) => {
      const found = this.rows.filter(
        (row) =>
          (status === undefined || row.status === status) &&
          `${row.title} ${row.folder}`.toLowerCase().includes(search.toLowerCase()),
      );
      return {
        rows: found.slice(offset, offset + limit),
        more: Math.max(0, found.length - offset - limit),
      };
    },
    events: ({ sessionId, before, limit }) => ({
      events: (this.events.get(sessionId) ?? []).filter(({ seq }) => seq < before).slice(-limit),
      dropped: 0,
    }),
  };
}

function write(reader: Reader, message: StreamMessage): void {
  reader.sent += 1;
  reader.response.write(`id: ${reader.sent}\ndata: ${JSON.stringify(message)}\n\n`);
}
