import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Logger } from '../core/observability/logger.js';
import type { PassedMessage } from '../opening/opening.js';
import { readLine } from './read-message.js';

interface Awaited {
  readonly id: unknown;
  readonly resolve: (message: JSONRPCMessage | undefined) => void;
}

/**
 * Begins with the messages that the opening has answered, so that the SDK knows the client and the protocol. The client
 * does not get the answers again.
 */
export class ReplayingWire implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly #wire: Transport;
  readonly #passed: readonly PassedMessage[];
  readonly #logger: Logger;
  #awaited: Awaited | undefined;
  #isClosed = false;

  constructor(wire: Transport, passed: readonly PassedMessage[], logger: Logger) {
    this.#wire = wire;
    this.#passed = passed;
    this.#logger = logger;
  }

  async start(): Promise<void> {
    Object.assign(this.#wire, {
      onclose: () => this.onclose?.(),
      onerror: (error: Error) => this.onerror?.(error),
      onmessage: (message: JSONRPCMessage) => this.onmessage?.(message),
    } satisfies Partial<Transport>);
    for (const passed of this.#passed) await this.#replay(passed);
    if (!this.#isClosed) await this.#wire.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#awaited === undefined || 'method' in message || message.id !== this.#awaited.id)
      return this.#wire.send(message);
    this.#awaited.resolve(message);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#awaited?.resolve(undefined);
    await this.#wire.close();
  }

  async #replay({ line, answer }: PassedMessage): Promise<void> {
    const incoming = readLine(Buffer.from(line));
    if (this.#isClosed || incoming === undefined || !('message' in incoming)) return;
    const { message } = incoming;
    if (answer === undefined || !('id' in message)) return this.onmessage?.(message);
    const answered = new Promise<JSONRPCMessage | undefined>((resolve) => {
      this.#awaited = { id: message.id, resolve };
    });
    this.onmessage?.(message);
    const own = await answered;
    this.#awaited = undefined;
    if (own !== undefined && JSON.stringify(own) !== answer)
      this.#logger.log('error', 'an answer at the start differs from that of the server', { line });
  }
}
