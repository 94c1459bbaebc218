import { randomUUID } from 'node:crypto';
import type {
  FetchLike,
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
} from '@modelcontextprotocol/client';
import type { Clock } from '../core/clock.js';
import { isObject } from '../core/json.js';
import { isInterrupted, isRefusedToken, isSessionGone, isUndelivered } from './failure.js';
import { Link, type SendOptions, type Target } from './link.js';

export interface ServiceSettings {
  /** Finds the service. Asked again when it cannot be reached or refuses the token. */
  readonly target: () => Promise<Target>;
  readonly clock: Clock;
  /** Pauses before a message that did not arrive is sent again, in milliseconds. */
  readonly pausesMs: readonly number[];
  readonly fetch?: FetchLike | undefined;
  readonly onmessage: (link: Link, message: JSONRPCMessage) => void;
  /** The answers that this connection owes will not arrive. */
  readonly onlost: (link: Link) => void;
}

export interface Delivery extends SendOptions {
  /** Whether it does no harm if the service receives it twice. */
  readonly isRepeatable: boolean;
}

/** A service that was restarted knows none of its connections. More renewals would not help. */
const maxRenewals = 3;

/** The service, as if its connection never ended. */
export class ServiceSide {
  readonly #settings: ServiceSettings;
  readonly #own = new Map<RequestId, (response: JSONRPCResponse) => void>();
  readonly #subscriptions = new Map<string, JSONRPCRequest>();
  #handshake: JSONRPCRequest | undefined;
  #current: Promise<Link> | undefined;
  #url = '';

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
  }

  /** The last known address. */
  get url(): string {
    return this.#url;
  }

  /** Resolves with the connection that the answer arrives on. */
  async send(message: JSONRPCMessage, delivery: Delivery): Promise<Link> {
    let pauses = 0;
    let renewals = 0;
    for (;;) {
      const current = this.#link();
      try {
        const link = await current;
        await link.send(message, delivery);
        return link;
      } catch (error) {
        if (delivery.signal?.aborted === true) throw error;
        if (renewals < maxRenewals && (await this.#isStale(current, error))) {
          renewals += 1;
          this.#drop(current);
          continue;
        }
        const pauseMs = this.#settings.pausesMs[pauses];
        const isSafe = isUndelivered(error) || (delivery.isRepeatable && isInterrupted(error));
        if (!isSafe || pauseMs === undefined) throw error;
        pauses += 1;
        await new Promise<void>((resolve) => this.#settings.clock.after(pauseMs, resolve));
        if (await this.#hasMoved(current)) this.#drop(current);
      }
    }
  }

  /** The client and the service have agreed on a connection of the 2025 protocols. */
  greeted(link: Link, request: JSONRPCRequest, response: JSONRPCResponse): void {
    const version = versionIn(response);
    if (version === undefined) return;
    link.agreeOn(version);
    this.#handshake = request;
  }

  /** The client has subscribed to a resource, or ended that. */
  subscribed(request: JSONRPCRequest): void {
    const uri = String(request.params?.['uri']);
    if (request.method === 'resources/subscribe') this.#subscriptions.set(uri, request);
    else this.#subscriptions.delete(uri);
  }

  /** Sends what is on its way, but waits no longer than this. */
  async close(limitMs: number): Promise<void> {
    const current = this.#current;
    if (current === undefined) return;
    let stop: () => void = () => undefined;
    const limit = new Promise<void>((resolve) => {
      stop = this.#settings.clock.after(limitMs, resolve);
    });
    const farewell = current.then(async (link) => {
      await link.settled();
      await link.leave();
    });
    await Promise.race([farewell.catch(() => undefined), limit]);
    stop();
    void current.then((link) => link.close()).catch(() => undefined);
  }

  #link(): Promise<Link> {
    if (this.#current !== undefined) return this.#current;
    const opening = this.#open();
    this.#current = opening;
    opening.catch(() => {
      if (this.#current === opening) this.#current = undefined;
    });
    return opening;
  }

  async #open(): Promise<Link> {
    const { target, fetch, onmessage } = this.#settings;
    const found = await target();
    this.#url = found.url;
    const link: Link = new Link({
      target: found,
      fetch,
      onmessage: (message) => {
        if (!this.#takeOwn(message)) onmessage(link, message);
      },
      ongone: () => this.#reopen(link),
    });
    await link.open();
    try {
      if (this.#handshake !== undefined) await this.#greetAgain(link, this.#handshake);
    } catch (error) {
      await link.close();
      throw error;
    }
    return link;
  }

  /** The client has greeted an earlier connection and does not notice this one. */
  async #greetAgain(link: Link, handshake: JSONRPCRequest): Promise<void> {
    const version = versionIn(await this.#ask(link, handshake));
    if (version !== undefined) link.agreeOn(version);
    await link.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (const request of this.#subscriptions.values()) await this.#ask(link, request);
  }

  /** Asks on behalf of the bridge itself. */
  #ask(link: Link, request: JSONRPCRequest): Promise<JSONRPCResponse> {
    const id = `bridge-${randomUUID()}`;
    return new Promise<JSONRPCResponse>((resolve, reject) => {
      this.#own.set(id, resolve);
      const onend = (): void => reject(new Error('the connection ended'));
      link.send({ ...request, id }, { onend }).catch(reject);
    }).finally(() => this.#own.delete(id));
  }

  #takeOwn(message: JSONRPCMessage): boolean {
    if ('method' in message || message.id === undefined) return false;
    const resolve = this.#own.get(message.id);
    resolve?.(message);
    return resolve !== undefined;
  }

  /** Whether the service refuses this connection, but would accept a new connection. */
  async #isStale(current: Promise<Link>, error: unknown): Promise<boolean> {
    if (isSessionGone(error)) return this.#handshake !== undefined;
    return isRefusedToken(error) && this.#hasMoved(current);
  }

  /** Whether the service has another address, token or key now. */
  async #hasMoved(current: Promise<Link>): Promise<boolean> {
    const link = await current.catch(() => undefined);
    if (link === undefined) return false;
    const { url, token, key } = await this.#settings.target();
    return url !== link.target.url || token !== link.target.token || key !== link.target.key;
  }

  /** Requests of the service need a stream, even while the client is silent. */
  #reopen(link: Link): void {
    const current = this.#current;
    const reopen = async (): Promise<void> => {
      if (current === undefined || (await current) !== link) return;
      this.#drop(current);
      await this.#link();
    };
    // The next message of the client tries again, and reports the problem.
    reopen().catch(() => undefined);
  }

  #drop(current: Promise<Link>): void {
    if (this.#current === current) this.#current = undefined;
    const end = async (): Promise<void> => {
      const link = await current;
      if (link.isClosed) return;
      // Messages on their way get the same refusal, and are sent again.
      await link.settled();
      await link.close();
      this.#settings.onlost(link);
    };
    // A connection that could not be opened has nothing to end.
    end().catch(() => undefined);
  }
}

function versionIn(response: JSONRPCResponse): string | undefined {
  const result = 'result' in response ? response.result : undefined;
  const version = isObject(result) ? result['protocolVersion'] : undefined;
  return typeof version === 'string' ? version : undefined;
}
