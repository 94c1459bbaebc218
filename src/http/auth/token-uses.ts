import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../../core/clock.js';
import { parseJson } from '../../core/json.js';
import { replaceFile } from '../../files/atomic-write.js';
import { readOwnFile } from '../../files/own-file.js';

const fileSchema = z.record(z.string(), z.number());

const maxBytes = 4 * 1_048_576;
const writeEveryMs = 60_000;

export type LastUses = Readonly<Record<string, number>>;

/**
 * When each token was last used, by its id. In a file of its own, so that the service never writes the tokens and cannot
 * bring back one that was revoked meanwhile. Nothing depends on it, so a file that cannot be read counts as empty.
 */
export class TokenUses {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #uses = new Map<string, number>();
  #stopTimer: (() => void) | undefined;

  constructor(stateDir: string, clock: Clock) {
    this.#path = join(stateDir, 'tokens-used.json');
    this.#clock = clock;
  }

  async read(): Promise<LastUses> {
    const text = await readOwnFile(this.#path, maxBytes).catch(() => '');
    return fileSchema.safeParse(parseJson(text)).data ?? {};
  }

  /** Written within a minute. */
  note(tokenId: string): void {
    this.#uses.set(tokenId, this.#clock.now());
    this.#stopTimer ??= this.#clock.after(writeEveryMs, () => void this.flush());
  }

  async flush(): Promise<void> {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (this.#uses.size === 0) return;
    const uses = { ...(await this.read()), ...Object.fromEntries(this.#uses) };
    this.#uses.clear();
    await replaceFile(this.#path, `${JSON.stringify(uses, undefined, 2)}\n`).catch(() => undefined);
  }
}
