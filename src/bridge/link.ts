import {
  StreamableHTTPClientTransport,
  type FetchLike,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client';
import { isSessionGone } from './failure.js';
import { privateFetch } from './private-fetch.js';

/** Where the service is, and how to enter. */
export interface Target {
  readonly url: string;
  readonly token: string;
  /** The service must know it. Undefined: the address alone identifies the service. */
  readonly key?: string | undefined;
}

export interface LinkSettings {
  readonly target: Target;
  readonly fetch: FetchLike | undefined;
  readonly onmessage: (message: JSONRPCMessage) => void;
  /** The service has forgotten this connection of the 2025 protocols. */
  readonly ongone: () => void;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** The answer is complete, or will not arrive. */
  readonly onend?: (() => void) | undefined;
}

/** The stream for requests of the service is opened again for as long as the bridge runs. */
const reconnectionOptions = {
  initialReconnectionDelay: 200,
  maxReconnectionDelay: 5_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.POSITIVE_INFINITY,
};

/** One connection to the service, in either era. */
export class Link {
  readonly target: Target;
  readonly #transport: StreamableHTTPClientTransport;
  readonly #sending = new Set<Promise<void>>();
  #isClosed = false;

  constructor({ target, fetch, onmessage, ongone }: LinkSettings) {
    this.target = target;
    const send = fetch ?? (target.key === undefined ? undefined : privateFetch(target.key));
    this.#transport = new StreamableHTTPClientTransport(new URL(target.url), {
      requestInit: { headers: { authorization: `Bearer ${target.token}` } },
      reconnectionOptions,
      ...(send && { fetch: send }),
    });
    Object.assign(this.#transport, {
      onmessage,
      // Errors of a message are thrown by its `send` too. This one may come from the stream, which has no sender.
      onerror: (error: unknown) => {
        if (isSessionGone(error) && this.hasSession) ongone();
      },
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether the service must remember this connection, as the 2025 protocols need. */
  get hasSession(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  open(): Promise<void> {
    return this.#transport.start();
  }

  /** In the 2025 protocols, the version of later messages is in a header. */
  agreeOn(protocolVersion: string): void {
    this.#transport.setProtocolVersion(protocolVersion);
  }

  /** Resolves when the service has begun to answer. */
  async send(message: JSONRPCMessage, { signal, onend }: SendOptions = {}): Promise<void> {
    const sent = this.#transport.send(message, {
      ...(signal && { requestSignal: signal }),
      ...(onend && { onRequestStreamEnd: onend }),
    });
    this.#sending.add(sent);
    try {
      await sent;
    } finally {
      this.#sending.delete(sent);
    }
  }

  /** Resolves when no message is on its way to the service. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#sending);
  }

  /** Frees what the service keeps for this connection. Sessions of Claude Code continue. */
  async leave(): Promise<void> {
    await this.#transport.terminateSession().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#transport.close();
  }
}
