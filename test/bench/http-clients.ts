/** A share of the polling clients, in a process of its own: a client in the field does not wait for others' work. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Followed, Service } from './http-poller.js';

/** What a process of clients is told at its start. */
export interface Share {
  readonly service: Service;
  readonly clients: number;
  readonly everyMs: number;
}

/** What a process of clients found. */
export interface ShareFindings {
  readonly followed: readonly Followed[];
  /** How late its timers were (p99), in milliseconds. */
  readonly lateMs: number;
}

export class HttpClients {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, 'exit').then(() => ['exited']);
  }

  /** Resolves when all its clients are connected. */
  static async connect(share: Share): Promise<HttpClients> {
    const program = new URL('http-clients-child.ts', import.meta.url);
    // Inherits the loader that runs TypeScript.
    const clients = new HttpClients(fork(program, [JSON.stringify(share)]));
    await clients.#message();
    return clients;
  }

  /** Its clients follow the sessions in turn until these have ended, and leave. */
  async follow(sessionIds: readonly string[]): Promise<ShareFindings> {
    this.#child.send({ sessionIds });
    const found = (await this.#message()) as ShareFindings;
    await this.#exited;
    return found;
  }

  async #message(): Promise<unknown> {
    const [message] = (await Promise.race([once(this.#child, 'message'), this.#exited])) as [unknown];
    if (message === 'exited') throw new Error('the process of the clients exited early');
    return message;
  }
}
