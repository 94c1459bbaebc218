import type { Socket } from 'node:net';

interface Connection {
  readonly socket: Socket;
  /** Requests whose answers are not complete. */
  busy: number;
}

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/**
 * Bounds the number of open connections. A new connection replaces the oldest one without a running request, so that
 * clients that stall or send half a request cannot keep others out.
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
    if (this.#open.size >= this.#max && !this.#closeOldest()) {
      this.#onFull();
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    this.#open.set(key, { socket, busy: 0 });
    socket.once('close', () => this.#open.delete(key));
  }

  /** Protects the connection until the returned function is called. */
  begin(socket: Ends): () => void {
    const connection = this.#open.get(keyOf(socket));
    if (connection === undefined) return () => undefined;
    connection.busy += 1;
    return () => {
      connection.busy -= 1;
    };
  }

  closeAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  #closeOldest(): boolean {
    for (const [key, { socket, busy }] of this.#open) {
      if (busy > 0) continue;
      this.#open.delete(key);
      socket.destroy();
      return true;
    }
    return false;
  }
}

/** By address, because a TLS socket is another object than the connection that it wraps. */
function keyOf({ remoteAddress, remotePort }: Ends): string {
  return `${remoteAddress ?? ''} ${remotePort ?? ''}`;
}
