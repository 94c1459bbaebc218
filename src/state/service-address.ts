import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, parseJson } from '../core/json.js';
import { replaceFile } from '../files/atomic-write.js';
import { readOwnFile } from '../files/own-file.js';
import type { Servers } from './server-mark.js';

const maxBytes = 10_000;

/** A port that any user of the machine can take when the service has ended, and the key that only the service knows. */
export interface PrivateAddress {
  readonly url: string;
  readonly key: string;
}

/** Where the service of this state folder listens, while it runs. Tokens are sent there, so only its owner may write it. */
export class ServiceAddress {
  readonly #path: string;
  readonly #servers: Servers;

  constructor(stateDir: string, servers: Servers) {
    this.#path = join(stateDir, 'service.json');
    this.#servers = servers;
  }

  /** Undefined if no service runs. Throws if other users could have written the file. */
  async find(): Promise<PrivateAddress | undefined> {
    const { address, server } = await this.#read();
    return server !== undefined && (await this.#servers.isAlive(server)) ? address : undefined;
  }

  /** False if another service runs: its clients must find it again, so its address stays. */
  async announce({ url, key }: PrivateAddress): Promise<boolean> {
    if ((await this.find()) !== undefined) return false;
    await replaceFile(this.#path, `${JSON.stringify({ url, key, server: await this.#servers.own() })}\n`);
    return true;
  }

  /** Leaves the address of another service. */
  async withdraw(): Promise<void> {
    const { server } = await this.#read();
    if (server === (await this.#servers.own())) await rm(this.#path, { force: true });
  }

  async #read(): Promise<{ readonly address?: PrivateAddress; readonly server?: string }> {
    const text = await readOwnFile(this.#path, maxBytes).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
      throw error;
    });
    const value = parseJson(text);
    if (!isObject(value)) return {};
    const { url, key, server } = value;
    return typeof url === 'string' && typeof key === 'string' && typeof server === 'string'
      ? { address: { url, key }, server }
      : {};
  }
}
