import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, parseJson } from '../core/json.js';
import { replaceFile } from '../files/atomic-write.js';
import { NotOwnError, readOwnFile } from '../files/own-file.js';
import { isMissing } from '../files/regular-file.js';
import { pidOf, type Servers } from './server-mark.js';

const maxBytes = 100_000;

/** A port that any user of the machine can take when the service has ended, and the key that only the service knows. */
export interface PrivateAddress {
  readonly url: string;
  readonly key: string;
}

export interface RunningService {
  /** The address for people and other clients. */
  readonly url: string;
  readonly address: PrivateAddress;
  readonly pid: number;
  /** Its settings that restrict clients: values as JSON, by name. */
  readonly restrictions: Readonly<Record<string, string>>;
  /** Whether the same process still runs. Another one may have got its id. */
  isAlive(): Promise<boolean>;
}

/** The message says what to do. */
export class ForeignAddressError extends Error {
  override readonly name = 'ForeignAddressError';

  constructor(path: string) {
    super(
      `${path} can be changed by other users, so it may name a service of theirs, and your token would be sent there. Stop your service, delete this file, and check the permissions of its folder. A service that starts then writes the file again.`,
    );
  }
}

/** Where the service of this state folder listens, while it runs. Tokens are sent there, so only its owner may write it. */
export class ServiceAddress {
  readonly #path: string;
  readonly #servers: Servers;

  constructor(stateDir: string, servers: Servers) {
    this.#path = join(stateDir, 'service.json');
    this.#servers = servers;
  }

  /** Undefined if no service runs. Throws a ForeignAddressError if other users could have written the file. */
  async find(): Promise<RunningService | undefined> {
    const read = await this.#read();
    if (read === undefined || !(await this.#servers.isAlive(read.server))) return undefined;
    const { server, publicUrl, restrictions, ...address } = read;
    return {
      url: publicUrl,
      address,
      pid: pidOf(server),
      restrictions,
      isAlive: () => this.#servers.isAlive(server),
    };
  }

  /** False if another service runs: its clients must find it again, so its address stays. */
  async announce(
    publicUrl: string,
    { url, key }: PrivateAddress,
    restrictions: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    if ((await this.find()) !== undefined) return false;
    const server = await this.#servers.own();
    await replaceFile(this.#path, `${JSON.stringify({ publicUrl, url, key, server, restrictions })}\n`);
    return true;
  }

  /** Leaves the address of another service. */
  async withdraw(): Promise<void> {
    const read = await this.#read();
    if (read?.server === (await this.#servers.own())) await rm(this.#path, { force: true });
  }

  async #read(): Promise<SavedAddress | undefined> {
    const text = await readOwnFile(this.#path, maxBytes).catch((error: unknown) => {
      if (isMissing(error)) return '';
      throw error instanceof NotOwnError ? new ForeignAddressError(this.#path) : error;
    });
    const value = parseJson(text);
    if (!isObject(value)) return undefined;
    const { publicUrl, url, key, server, restrictions } = value;
    return typeof publicUrl === 'string' &&
      typeof url === 'string' &&
      typeof key === 'string' &&
      typeof server === 'string'
      ? { publicUrl, url, key, server, restrictions: textsIn(restrictions) }
      : undefined;
  }
}

interface SavedAddress extends PrivateAddress {
  readonly publicUrl: string;
  readonly server: string;
  readonly restrictions: Readonly<Record<string, string>>;
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
