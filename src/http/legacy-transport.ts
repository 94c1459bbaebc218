import {
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
  type RequestId,
  type WebStandardStreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/server';
import type { Clock } from '../core/clock.js';
import type { Reach } from '../core/reach.js';

/** A client that loses its stream usually reconnects within a few seconds. */
const graceMs = 30_000;

export interface LegacyOptions extends WebStandardStreamableHTTPServerTransportOptions {
  /** Resolves when another request of this connection may begin. */
  readonly nextTurn: () => Promise<void>;
}

interface Unanswered {
  readonly answered: Promise<void>;
  readonly end: () => void;
}

/**
 * A connection of the 2025 protocols over HTTP. The SDK drops requests to a client that has no open stream, but still
 * waits for their answers: a form would count as shown to a person who has left.
 */
export class LegacyTransport extends WebStandardStreamableHTTPServerTransport implements Reach {
  readonly #clock: Clock;
  readonly #watchers = new Set<(isReachable: boolean) => void>();
  /** Requests to the client that it has not answered. */
  readonly #asked = new Set<RequestId>();
  /** Requests of the client without an answer. */
  readonly #unanswered = new Map<RequestId, Unanswered>();
  /** Those of them that wait for their turn. */
  readonly #waiting = new Set<RequestId>();
  readonly #nextTurn: () => Promise<void>;
  /** The bodies whose first request has begun. */
  readonly #begun = new WeakSet<Request>();
  #streams = 0;
  #isClosed = false;
  #stopGrace: () => void = () => undefined;

  constructor(clock: Clock, { nextTurn, ...options }: LegacyOptions) {
    super(options);
    this.#clock = clock;
    this.#nextTurn = nextTurn;
  }

  watchReach(onChange: (isReachable: boolean) => void): void {
    this.#watchers.add(onChange);
    onChange(this.#streams > 0);
  }

  /** The client has opened its stream, which lasts until the promise resolves. */
  noteStream(closed: Promise<void>): void {
    this.#stopGrace();
    this.#change(1);
    void closed.then(() => {
      this.#change(-1);
      if (this.#streams > 0 || this.#isClosed) return;
      this.#stopGrace = this.#clock.after(graceMs, () => this.#giveUp());
    });
  }

  /** Call it once a server is connected. */
  watchMessages(): void {
    const deliver = this.onmessage?.bind(this);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a callback of the SDK, which has no events
    this.onmessage = (message, extra) => {
      if (!('method' in message)) {
        if (message.id !== undefined) this.#asked.delete(message.id);
        return deliver?.(message, extra);
      }
      if ('id' in message) return this.#begin(message.id, extra?.request, () => deliver?.(message, extra));
      if (message.method !== 'notifications/cancelled') return deliver?.(message, extra);
      const requestId = message.params?.['requestId'];
      if (!isRequestId(requestId)) return;
      // Nothing else of it: the SDK ignores a cancellation with a reason that is not a text, and the call runs on.
      deliver?.({ ...message, params: { requestId } }, extra);
      this.#withdraw(requestId);
    };
  }

  /** Whether one of these ids stands for another request, too: the answer of one would reach the other. */
  isAmbiguous(ids: readonly RequestId[]): boolean {
    return new Set(ids).size < ids.length || ids.some((id) => this.#unanswered.has(id));
  }

  override async send(
    message: JSONRPCMessage,
    options?: { readonly relatedRequestId?: RequestId },
  ): Promise<void> {
    const isRequest = 'method' in message && 'id' in message;
    if (isRequest && options?.relatedRequestId === undefined) {
      if (this.#streams === 0) throw new Error('The client has no open stream for requests');
      this.#asked.add(message.id);
    }
    try {
      await super.send(message, options);
    } finally {
      if (!('method' in message) && message.id !== undefined) this.#end(message.id);
    }
  }

  /** Resolves when none of these requests waits for an answer any longer. */
  async answered(ids: readonly RequestId[]): Promise<void> {
    await Promise.all(ids.flatMap((id) => this.#unanswered.get(id)?.answered ?? []));
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopGrace();
    for (const { end } of this.#unanswered.values()) end();
    this.#unanswered.clear();
    this.#waiting.clear();
    await super.close();
  }

  /** The first request of a body has its turn. Those behind it in a batch could stop the service together. */
  #begin(id: RequestId, body: Request | undefined, deliver: () => void): void {
    let end = (): void => undefined;
    const answered = new Promise<void>((resolve) => (end = resolve));
    this.#unanswered.set(id, { answered, end });
    if (body === undefined || !this.#begun.has(body)) {
      if (body !== undefined) this.#begun.add(body);
      return deliver();
    }
    this.#waiting.add(id);
    void this.#nextTurn().then(() => {
      if (this.#waiting.delete(id)) deliver();
    });
  }

  #end(id: RequestId): void {
    this.#unanswered.get(id)?.end();
    this.#unanswered.delete(id);
    this.#waiting.delete(id);
  }

  /** The SDK does not answer a request that was cancelled, and keeps its stream and its place until it is answered. */
  #withdraw(id: RequestId): void {
    if (!this.#unanswered.has(id)) return;
    this.#waiting.delete(id);
    const error = { code: -32_000, message: 'The client has cancelled this request.' };
    this.send({ jsonrpc: '2.0', id, error }).catch(() => undefined);
  }

  #change(by: 1 | -1): void {
    this.#streams += by;
    for (const watcher of this.#watchers) watcher(this.#streams > 0);
  }

  #giveUp(): void {
    const error = { code: -32_000, message: 'The client has left' };
    for (const id of this.#asked) this.onmessage?.({ jsonrpc: '2.0', id, error });
  }
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}
