import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  readonly socket: Socket;
  /** Answers that are not complete. Several, if the client sends requests before it has the answer to an earlier one. */
  readonly answers: Set<ServerResponse>;
  /** Those of senders that are known. */
  readonly admitted: Set<ServerResponse>;
}

/** Each request costs memory until its answer is read. Clients rarely send a second one before that. */
const maxUnanswered = 20;

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'destroyed'>;

/**
 * Bounds the number of open connections. At the limit, the oldest idle connection is closed to make room, then the oldest
 * whose sender is not known, so that strangers who stall or send half a request cannot keep others out.
 */
export class Connections {
  readonly #max: number;
  readonly #onFull: () => void;
  /** In the order of their age. */
  readonly #open = new Map<string, Connection>();

  constructor(max: number, onFull: () => void) {
    this.#max = max;
    this.#onFull = onFull;
  }

  add(socket: Socket): void {
    const key = keyOf(socket);
    // The same address again: the earlier connection was reset, although Node has not noticed it yet.
    this.#open.get(key)?.socket.destroy();
    this.#open.delete(key);
    if (this.#open.size >= this.#max && !this.#closeOldest()) {
      this.#onFull();
      socket.destroy();
      return;
    }
    const connection: Connection = { socket, answers: new Set(), admitted: new Set() };
    this.#open.set(key, connection);
    socket.once('close', () => {
      // Otherwise the one that has its address now would no longer count.
      if (this.#open.get(key) === connection) this.#open.delete(key);
      setImmediate(endAll, connection.answers);
    });
  }

  /**
   * Returns a function that protects the connection until the answer is complete. Undefined if the connection is closed,
   * because it sends more requests without reading the answers.
   */
  begin(socket: Ends, answer: ServerResponse): (() => void) | undefined {
    // Node still hands over requests that have arrived together with the last one.
    if (socket.destroyed) return undefined;
    const connection = this.#open.get(keyOf(socket));
    if (connection !== undefined && connection.answers.size >= maxUnanswered) {
      connection.socket.destroy();
      return undefined;
    }
    connection?.answers.add(answer);
    answer.once('close', () => {
      connection?.answers.delete(answer);
      connection?.admitted.delete(answer);
    });
    return () => {
      if (connection?.answers.has(answer) === true) connection.admitted.add(answer);
    };
  }

  closeAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  #closeOldest(): boolean {
    const free = [...this.#open].filter(([, { admitted }]) => admitted.size === 0);
    const [key, oldest] = free.find(([, { answers }]) => answers.size === 0) ?? free[0] ?? [];
    if (key === undefined) return false;
    this.#open.delete(key);
    oldest?.socket.destroy();
    return true;
  }
}

/** Node tells only the answer that is being sent that its connection is gone, not those that wait behind it. */
function endAll(answers: Iterable<ServerResponse>): void {
  for (const answer of answers) {
    answer.destroy();
    answer.emit('close');
  }
}

/** By address, because a TLS socket is another object than the connection that it wraps. */
function keyOf({ remoteAddress, remotePort, localAddress }: Ends): string {
  return `${remoteAddress ?? ''} ${remotePort ?? ''} ${localAddress ?? ''}`;
}
