import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asText, isObject, parseObject } from '../../../core/json.js';
import { callbackPath, deny, heartbeatMs, type PermissionQuestion } from './protocol.js';
import { readBody } from './read-body.js';

/** Resolves with what Claude Code is told, as JSON. `signal` aborts when it no longer wants to know. */
export type AnswerQuestion = (question: PermissionQuestion, signal: AbortSignal) => Promise<object>;

export interface Registration {
  readonly port: number;
  /** Whoever has it may ask in the name of this session, and nothing else. */
  readonly token: string;
  /** Denies what is still open, and forgets the session. */
  close(): void;
}

interface Entry {
  readonly sessionId: string;
  readonly digest: Buffer;
  readonly answer: AnswerQuestion;
  readonly open: Set<AbortController>;
}

/** Claude Code asks a few at once; a flood of questions is nobody's wish. */
const maxOpenAsks = 16;

/** Where the permission questions of all sessions arrive: on loopback, on a port of the system's choice. */
export class CallbackServer {
  readonly #entries = new Set<Entry>();
  #server: Promise<Server> | undefined;

  /** Listens from the first session on until the last one is gone. */
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
    // It must not keep the server alive that it belongs to.
    server.unref();
    return new Promise((resolve, reject) => {
      // For good: a connection that cannot be accepted is told here too, and must not end the server.
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

  /** Every token is compared, and each of them whole: how long it takes tells nothing. */
  #bearer(header: string | undefined): Entry | undefined {
    const given = digestOf(/^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '');
    let found: Entry | undefined;
    for (const entry of this.#entries) if (timingSafeEqual(entry.digest, given)) found = entry;
    return found;
  }
}

/** Equal lengths, whatever was given. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A page in a browser can reach loopback too: it cannot leave out Origin, nor name us as the host it has looked up. */
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
  // White space before the JSON: nothing between us and the script may take silence for the end.
  const timer = setInterval(() => response.write(' '), heartbeatMs);
  response.once('close', () => {
    clearInterval(timer);
    open.delete(asking);
    if (!response.writableEnded) asking.abort();
  });
  const verdict = await answer(question, asking.signal).catch(() =>
    deny('The permission could not be asked for. It is denied.'),
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
