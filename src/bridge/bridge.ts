import {
  PROTOCOL_VERSION_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Clock } from '../core/clock.js';
import { isObject } from '../core/json.js';
import { Asked } from './asked.js';
import { failureOf, lost, type Failure } from './failure.js';
import type { Link } from './link.js';
import { ServiceSide, type ServiceSettings } from './service-side.js';

export interface BridgeSettings extends Omit<ServiceSettings, 'onmessage' | 'onlost'> {
  /** The client's end: stdin and stdout. */
  readonly client: Transport;
}

/** A request of the client without an answer. */
interface Pending {
  readonly request: JSONRPCRequest;
  readonly abort: AbortController;
  /** Undefined while it is on its way. */
  link?: Link;
  sent: Promise<void>;
  /** The service has confirmed this subscription, and will send something. */
  isConfirmed?: boolean;
}

/** Time for the last messages when the client has left. */
const farewellMs = 300;
/** Before a subscription that has ended is opened again. */
const resumeMs = 200;
/** Everything else only reads. */
const changing = /^(tools\/call|tasks\/)/;

/** Passes messages between a client on stdin and stdout and a service, in both eras. Every request gets an answer. */
export class Bridge {
  readonly #client: Transport;
  readonly #clock: Clock;
  readonly #service: ServiceSide;
  readonly #pending = new Map<RequestId, Pending>();
  readonly #asked = new Asked<Link>();
  /** Notifications arrive before what the client sends after them. */
  #notified: Promise<void> = Promise.resolve();
  #isClosing = false;

  constructor({ client, ...settings }: BridgeSettings) {
    this.#client = client;
    this.#clock = settings.clock;
    this.#service = new ServiceSide({
      ...settings,
      onmessage: (link, message) => this.#fromService(link, message),
      onlost: (link) => this.#lose(link),
    });
  }

  async start(): Promise<void> {
    Object.assign(this.#client, { onmessage: (message: JSONRPCMessage) => this.#fromClient(message) });
    await this.#client.start();
  }

  /** The client has left. Sessions of the service continue. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#service.close(farewellMs);
  }

  #fromClient(message: JSONRPCMessage): void {
    if (!('method' in message)) this.#passAnswer(message);
    else if ('id' in message) this.#passRequest(message);
    else if (message.method === 'notifications/cancelled') this.#cancel(message);
    else this.#passNotification(message);
  }

  #passRequest(request: JSONRPCRequest): void {
    const pending: Pending = { request, abort: new AbortController(), sent: Promise.resolve() };
    this.#pending.set(request.id, pending);
    this.#deliver(pending);
  }

  #deliver(pending: Pending): void {
    const { request, abort } = pending;
    const deliver = async (): Promise<void> => {
      if (abort.signal.aborted) return;
      await this.#notified;
      const link = await this.#service.send(request, {
        signal: abort.signal,
        onend: () => this.#ended(pending),
        isRepeatable: !changing.test(request.method),
      });
      pending.link = link;
      if (link.isClosed) this.#fail(pending, lost(link.target.url));
    };
    pending.sent = deliver().catch((error: unknown) =>
      this.#fail(pending, failureOf(error, this.#service.url)),
    );
  }

  #passNotification(notification: JSONRPCNotification): void {
    const isRepeatable = true;
    this.#notified = this.#service.send(notification, { isRepeatable }).then(
      () => undefined,
      // Nothing waits for an answer, and the next request will report the same problem.
      () => undefined,
    );
  }

  #passAnswer(response: JSONRPCResponse): void {
    const answered = this.#asked.answer(response);
    // The service that asked has been restarted meanwhile, so the form is gone.
    if (answered === undefined || answered.link.isClosed) return;
    answered.link.send(answered.response).catch(() => undefined);
  }

  /** In the 2026 protocol, a request over HTTP is cancelled by closing its stream. */
  #cancel(notification: JSONRPCNotification): void {
    const id = notification.params?.['requestId'] as RequestId;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending === undefined) return;
    if (isModern(pending.request)) return pending.abort.abort();
    void pending.sent.then(() => this.#passNotification(notification));
  }

  #fromService(link: Link, message: JSONRPCMessage): void {
    if (!('method' in message)) return this.#receiveAnswer(link, message);
    if ('id' in message) return this.#toClient(this.#asked.ask(link, message));
    if (message.method === 'notifications/cancelled') {
      const withdrawn = this.#asked.withdraw(link, message);
      return withdrawn === undefined ? undefined : this.#toClient(withdrawn);
    }
    if (!this.#isRepeatedConfirmation(message)) this.#toClient(message);
  }

  #receiveAnswer(link: Link, response: JSONRPCResponse): void {
    const pending = response.id === undefined ? undefined : this.#pending.get(response.id);
    if (pending === undefined) return;
    const { request } = pending;
    const isSuccess = 'result' in response;
    // The service shuts down. The next one takes the subscription.
    if (pending.isConfirmed === true && isSuccess) return;
    if (request.method === 'initialize') this.#service.greeted(link, request, response);
    if (request.method.endsWith('subscribe') && isSuccess) this.#service.subscribed(request);
    this.#pending.delete(request.id);
    this.#toClient(response);
  }

  /** The stream of a request has ended. Usually its answer was on it. */
  #ended(pending: Pending): void {
    if (this.#pending.get(pending.request.id) !== pending || this.#isClosing) return;
    if (pending.isConfirmed === true) {
      this.#clock.after(resumeMs, () => this.#deliver(pending));
      return;
    }
    this.#fail(pending, lost(this.#service.url));
  }

  #isRepeatedConfirmation({ method, params }: JSONRPCNotification): boolean {
    if (method !== 'notifications/subscriptions/acknowledged') return false;
    const meta = params?._meta;
    const id = isObject(meta) ? meta[SUBSCRIPTION_ID_META_KEY] : undefined;
    const pending = this.#pending.get(id as RequestId);
    if (pending === undefined) return false;
    if (pending.isConfirmed === true) return true;
    const honored = params?.['notifications'];
    pending.isConfirmed = isObject(honored) && Object.keys(honored).length > 0;
    return false;
  }

  #lose(link: Link): void {
    if (this.#isClosing) return;
    for (const pending of [...this.#pending.values()].filter((one) => one.link === link))
      this.#ended(pending);
    for (const requestId of this.#asked.forget(link)) {
      const params = { requestId, reason: 'The service was restarted.' };
      this.#toClient({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    }
  }

  #fail(pending: Pending, error: Failure): void {
    const { id } = pending.request;
    if (this.#pending.get(id) !== pending) return;
    this.#pending.delete(id);
    this.#toClient({ jsonrpc: '2.0', id, error });
  }

  #toClient(message: JSONRPCMessage): void {
    this.#client.send(message).catch(() => undefined);
  }
}

function isModern({ params }: JSONRPCRequest): boolean {
  const meta = params?._meta;
  return isObject(meta) && PROTOCOL_VERSION_META_KEY in meta;
}
