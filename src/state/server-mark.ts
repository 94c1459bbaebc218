import { createHash } from 'node:crypto';

/** Identifies one server process for ever: a process id alone is used again. */
export type ServerMark = string;

export interface ServerSettings {
  readonly pid: number;
  /** Undefined if no such process is alive. */
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
}

/** Tells this server from others that share the state folder, living or dead. */
export class Servers {
  readonly #settings: ServerSettings;
  #own: Promise<ServerMark> | undefined;

  constructor(settings: ServerSettings) {
    this.#settings = settings;
  }

  own(): Promise<ServerMark> {
    this.#own ??= this.#markOf(this.#settings.pid).then((mark) => mark ?? markOf(this.#settings.pid, ''));
    return this.#own;
  }

  async isAlive(mark: ServerMark): Promise<boolean> {
    return (await this.#markOf(pidOf(mark))) === mark;
  }

  /** The process id of a server that is alive and not this one. */
  async otherPid(mark: ServerMark): Promise<number | undefined> {
    return mark !== (await this.own()) && (await this.isAlive(mark)) ? pidOf(mark) : undefined;
  }

  async #markOf(pid: number): Promise<ServerMark | undefined> {
    const startTime = await this.#settings.startTimeOf(pid);
    return startTime === undefined ? undefined : markOf(pid, startTime);
  }
}

export function pidOf(mark: ServerMark): number {
  return Number(mark.split('.')[0]);
}

/** Start times may contain characters that a file name cannot, and only their equality matters. */
function markOf(pid: number, startTime: string): ServerMark {
  return `${pid}.${createHash('sha256').update(startTime).digest('hex').slice(0, 16)}`;
}
