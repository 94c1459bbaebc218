import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../core/clock.js';
import { messageOf } from '../core/errors.js';
import type { Logger } from '../core/observability/logger.js';
import { parseJson } from '../core/json.js';
import { AppendedSum } from './appended-sum.js';
import { readOwnLines } from './own-lines.js';
import { Reservations } from './reservations.js';

const dayMs = 86_400_000;

const lineSchema = z.object({
  at: z.string(),
  sessionId: z.string(),
  cwd: z.string(),
  costUsd: z.number().min(0),
  turns: z.number(),
  modelUsage: z.unknown().optional(),
});

/** One turn with a cost. */
export type UsageLine = z.infer<typeof lineSchema>;

export interface LedgerSettings {
  readonly folder: string;
  readonly maxUsdPerDay: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The cost of turns, one line each in a file per day, shared by all servers of one user. */
export class UsageLedger {
  readonly reservations = new Reservations();
  readonly #settings: LedgerSettings;
  #today: { readonly date: string; readonly sum: AppendedSum };

  constructor(settings: LedgerSettings) {
    this.#settings = settings;
    this.#today = this.#open(this.#date());
  }

  /** As of the last `refresh`, plus what was added here since. */
  leftUsd(): number | undefined {
    const { maxUsdPerDay } = this.#settings;
    return maxUsdPerDay === undefined ? undefined : maxUsdPerDay - this.#sum.usd;
  }

  /** Reads what other servers have spent. */
  async refresh(): Promise<void> {
    if (this.#settings.maxUsdPerDay !== undefined) await this.#sum.refresh();
  }

  add(line: Omit<UsageLine, 'at'>): void {
    if (line.costUsd <= 0) return;
    const at = new Date(this.#settings.clock.now()).toISOString();
    this.#sum.add({ at, ...line }, line.costUsd);
  }

  /** Yields the lines of the last days including today, oldest day first, including lines added here. */
  async *lines(days: number): AsyncGenerator<UsageLine> {
    await this.flush();
    const now = this.#settings.clock.now();
    for (let ago = days - 1; ago >= 0; ago -= 1) yield* linesOf(this.#path(dateOf(now - ago * dayMs)));
  }

  flush(): Promise<void> {
    return this.#today.sum.flush();
  }

  get #sum(): AppendedSum {
    const date = this.#date();
    if (this.#today.date !== date) this.#today = this.#open(date);
    return this.#today.sum;
  }

  #open(date: string): { readonly date: string; readonly sum: AppendedSum } {
    const { logger } = this.#settings;
    const sum = new AppendedSum({
      path: this.#path(date),
      usdOf: (text) => parseLine(text)?.costUsd ?? 0,
      onError: (error) => logger.log('error', 'usage could not be written', { reason: messageOf(error) }),
    });
    return { date, sum };
  }

  #path(date: string): string {
    return join(this.#settings.folder, `${date}.jsonl`);
  }

  #date(): string {
    return dateOf(this.#settings.clock.now());
  }
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Reads line by line, because the file of a busy day can be long. */
async function* linesOf(path: string): AsyncGenerator<UsageLine> {
  for await (const text of readOwnLines(path, 0)) {
    const line = parseLine(text);
    if (line !== undefined) yield line;
  }
}

/** Skips damaged lines: a half-written line must not stop the server. */
function parseLine(text: string): UsageLine | undefined {
  const parsed = lineSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}
