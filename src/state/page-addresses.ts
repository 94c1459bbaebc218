import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, parseJson } from '../core/json.js';
import { replaceFile } from '../files/atomic-write.js';
import { makeFolder, readOwnFile } from '../files/own-file.js';
import { isMissing } from '../files/regular-file.js';
import type { Servers } from './server-mark.js';

export type PageKind = 'service' | 'stdio';

/** A page that runs. */
export interface PageAddress {
  /** Without a path: `http://127.0.0.1:8137`. */
  readonly origin: string;
  /** A service, or a server that a client has started over stdin and stdout. */
  readonly kind: PageKind;
  readonly startedAt: number;
  /** The folder in which the server was started, for people with several servers. */
  readonly cwd: string;
}

const maxBytes = 10_000;

/** The pages of all servers that share a state folder. Links are opened there, so only their owner may write them. */
export class PageAddresses {
  readonly #folder: string;
  readonly #servers: Servers;

  constructor(folder: string, servers: Servers) {
    this.#folder = join(folder, 'running');
    this.#servers = servers;
  }

  /** The newest first. */
  async find(): Promise<readonly PageAddress[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const found: PageAddress[] = [];
    for (const name of names) {
      const mark = /^(.+)\.json$/.exec(name)?.[1];
      if (mark === undefined) continue;
      if (await this.#servers.isAlive(mark)) found.push(...(await this.#read(name)));
      else await rm(join(this.#folder, name), { force: true });
    }
    return found.toSorted((one, other) => other.startedAt - one.startedAt);
  }

  async announce(address: PageAddress): Promise<void> {
    makeFolder(this.#folder);
    await replaceFile(await this.#ownPath(), `${JSON.stringify(address)}\n`);
  }

  async withdraw(): Promise<void> {
    await rm(await this.#ownPath(), { force: true });
  }

  async #ownPath(): Promise<string> {
    return join(this.#folder, `${await this.#servers.own()}.json`);
  }

  async #read(name: string): Promise<readonly PageAddress[]> {
    const value = parseJson(await readOwnFile(join(this.#folder, name), maxBytes).catch(() => ''));
    if (!isObject(value)) return [];
    const { origin, startedAt, cwd } = value;
    const kind = value['kind'] === 'service' ? 'service' : 'stdio';
    return typeof origin === 'string' && typeof startedAt === 'number' && typeof cwd === 'string'
      ? [{ origin, kind, startedAt, cwd }]
      : [];
  }
}
