import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, parseJson } from '../core/json.js';
import { replaceFile } from '../files/atomic-write.js';
import { readOwnFile } from '../files/own-file.js';
import type { Servers } from './server-mark.js';

const maxBytes = 10_000;

/** Where the service of this state folder listens, while it runs. Tokens are sent there, so only its owner may write it. */
export class ServiceAddress {
  readonly #path: string;
  readonly #servers: Servers;

  constructor(stateDir: string, servers: Servers) {
    this.#path = join(stateDir, 'service.json');
    this.#servers = servers;
  }

  /** Undefined if no service runs. Throws if other users could have written the file. */
  async find(): Promise<string | undefined> {
    const { url, server } = await this.#read();
    return url !== undefined && server !== undefined && (await this.#servers.isAlive(server))
      ? url
      : undefined;
  }

  /** False if another service runs: its clients must find it again, so its address stays. */
  async announce(url: string): Promise<boolean> {
    if ((await this.find()) !== undefined) return false;
    await replaceFile(this.#path, `${JSON.stringify({ url, server: await this.#servers.own() })}\n`);
    return true;
  }

  /** Leaves the address of another service. */
  async withdraw(): Promise<void> {
    const { server } = await this.#read();
    if (server === (await this.#servers.own())) await rm(this.#path, { force: true });
  }

  async #read(): Promise<{ readonly url?: string; readonly server?: string }> {
    const text = await readOwnFile(this.#path, maxBytes).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
      throw error;
    });
    const value = parseJson(text);
    if (!isObject(value)) return {};
    const { url, server } = value;
    return typeof url === 'string' && typeof server === 'string' ? { url, server } : {};
  }
}
