import * as z from 'zod';
import type { Clock } from '../../core/clock.js';
import { parseJson } from '../../core/json.js';
import { replaceFile } from '../../files/atomic-write.js';
import { readOwnFile } from '../../files/own-file.js';

const fileSchema = z.record(z.string(), z.number());

const maxBytes = 4 * 1_048_576;
const writeEveryMs = 60_000;

/** By the id of the credential. */
export type UseTimes = Readonly<Record<string, number>>;

/**
 * When each credential was last used. In a file of its own, so that the service never writes the credentials and cannot
 * bring back one that was revoked meanwhile. Nothing depends on it, so a file that cannot be read counts as empty.
 */
export class LastUses {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #uses = new Map<string, number>();
  #stopTimer: (() => void) | undefined;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  async read(): Promise<UseTimes> {
    const text = await readOwnFile(this.#path, maxBytes).catch(() => '');
    return { ...fileSchema.safeParse(parseJson(text)).data, ...Object.fromEntries(this.#uses) };
  }

  /** Written within a minute. */
  note(id: string): void {
    this.#uses.set(id, this.#clock.now());
    this.#stopTimer ??= this.#clock.after(writeEveryMs, () => void this.flush());
  }

  async flush(): Promise<void> {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (this.#uses.size === 0) return;
    const uses = await this.read();
    this.#uses.clear();
    await replaceFile(this.#path, `${JSON.stringify(uses, undefined, 2)}\n`).catch(() => undefined);
  }
}
