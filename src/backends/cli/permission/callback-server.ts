import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asText, isObject, parseObject } from '../../../core/json.js';
import { callbackPath, deny, heartbeatMs, type PermissionQuestion } from './protocol.js';
import { readBody } from './read-body.js';

/** Resolves with the answer for Claude Code, as JSON. `signal` aborts when Claude Code withdraws the question. */
export type AnswerQuestion = (question: PermissionQuestion, signal: AbortSignal) => Promise<object>;

export interface Registration {
  readonly port: number;
  /** Allows its holder to ask on behalf of this session, and nothing else. */
  readonly token: string;
  /** Denies open questions and removes the session. */
  close(): void;
}

interface Entry {
  readonly sessionId: string;
  readonly digest: Buffer;
  readonly answer: AnswerQuestion;
  readonly open: Set<AbortController>;
}

/** Claude Code asks a few questions at a time. More than this is abuse. */
const maxOpenAsks = 16;

/** Receives the permission questions of all sessions, on a free loopback port. */
export class CallbackServer {
  readonly #entries = new Set<Entry>();
  #server: Promise<Server> | undefined;

  /** Listens while at least one session is registered. */
  async register(sessionId: string, answer: AnswerQuestion): Promise<Registration> {
    const token = randomBytes(32).toString('base64url');
    const entry: Entry = { sessionId, digest: digestOf(token), answer, open: new Set() };
    this.#entries.add(entry);
    try {
      const server = await (this.#server ??= this.#listen());
      const { port } = server.address() as AddressInfo;
      return { port, token, close: () => this.#forget(entry) };
    } catch (error) {
      this.#forget(entry);
      throw error;
    }
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry);
    for (const asking of entry.open) asking.abort();
    if (this.#entries.size > 0) return;
    const server = this.#server;
    this.#server = undefined;
    void server?.then(
      (listening) => {
        listening.close();
        listening.closeAllConnections();
      },
      () => undefined,
    );
  }

  #listen(): Promise<Server> {
    const server = createServer((request, response) => {
      this.#receive(request, response).catch(() => response.destroy());
    });
    // Must not keep the process alive.
    server.unref();
    return new Promise((resolve, reject) => {
      // Stays attached: it also reports connections that cannot be accepted, which must not crash the server.
      server.on('error', reject);
      server.listen(0, '127.0.0.1', () => resolve(server));
    });
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const entry = this.#bearer(request.headers.authorization);
    const status = refusalOf(request) ?? (entry === undefined ? 401 : undefined);
    if (status !== undefined || entry === undefined) return refuse(response, status ?? 401);
    const body = await readBody(request);
    if (typeof body === 'number') return refuse(response, body);
    const question = toQuestion(body);
    if (question === undefined) return refuse(response, 400);
    if (question.sessionId !== entry.sessionId || !this.#entries.has(entry)) return refuse(response, 401);
    if (entry.open.size >= maxOpenAsks) return refuse(response, 429);
    await answer(question, entry, response);
  }

  /** Compares all tokens in constant time, so that the timing reveals nothing. */
  #bearer(header: string | undefined): Entry | undefined {
    const given = digestOf(/^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '');
    let found: Entry | undefined;
    for (const entry of this.#entries) if (timingSafeEqual(entry.digest, given)) found = entry;
    return found;
  }
}

/** Hashing gives all tokens the same length. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Web pages can reach loopback too, but they send Origin, and a rebound DNS name shows in Host. */
function refusalOf({ method, url, headers, socket }: IncomingMessage): number | undefined {
  if (headers.host !== `127.0.0.1:${socket.localPort}` || headers.origin !== undefined) return 403;
  return method === 'POST' && url === callbackPath ? undefined : 404;
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close' }).end();
}

async function answer(
  question: PermissionQuestion,
  { answer, open }: Entry,
  response: ServerResponse,
): Promise<void> {
  const asking = new AbortController();
  open.add(asking);
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
  // White space before the JSON keeps the connection from looking idle.
  const timer = setInterval(() => response.write(' '), heartbeatMs);
  response.once('close', () => {
    clearInterval(timer);
    open.delete(asking);
    if (!response.writableEnded) asking.abort();
  });
  const verdict = await answer(question, asking.signal).catch(() =>
    deny('Denied, because the approver could not be asked.'),
  );
  response.end(JSON.stringify(verdict));
}

function toQuestion(body: string): PermissionQuestion | undefined {
  const value = parseObject(body);
  if (value === undefined || !isObject(value['input'])) return undefined;
  const [sessionId, toolUseId, toolName] = [value['sessionId'], value['tool_use_id'], value['tool_name']].map(
    asText,
  );
  if (sessionId === undefined || toolUseId === undefined || toolName === undefined) return undefined;
  return { sessionId, tool_use_id: toolUseId, tool_name: toolName, input: value['input'] };
}
