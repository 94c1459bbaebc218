import { appendFile, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../core/clock.js';
import { messageOf } from '../core/errors.js';
import type { Logger } from '../core/logger.js';
import type { DayBudget } from './budget.js';

const dayMs = 86_400_000;

const lineSchema = z.object({
  at: z.string(),
  sessionId: z.string(),
  cwd: z.string(),
  costUsd: z.number().min(0),
  turns: z.number(),
  modelUsage: z.unknown().optional(),
});

/** One turn that cost something. */
export type UsageLine = z.infer<typeof lineSchema>;

export interface LedgerSettings {
  readonly folder: string;
  readonly maxUsdPerDay: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * What turns have cost, one line each in a file per day. Appended, never rewritten, so that several servers of one
 * user can share it; each reads what the others have added.
 */
export class UsageLedger implements DayBudget {
  readonly #settings: LedgerSettings;
  #today = { date: '', offset: 0, spentUsd: 0 };
  #work: Promise<void> = Promise.resolve();

  constructor(settings: LedgerSettings) {
    this.#settings = settings;
  }

  /** By what was known when `refresh` last resolved, and what was added here since. */
  leftUsd(): number | undefined {
    const { maxUsdPerDay } = this.#settings;
    if (maxUsdPerDay === undefined) return undefined;
    const { date, spentUsd } = this.#today;
    return date === this.#date() ? maxUsdPerDay - spentUsd : maxUsdPerDay;
  }

  /** Reads what other servers have spent meanwhile. */
  refresh(): Promise<void> {
    if (this.#settings.maxUsdPerDay === undefined) return Promise.resolve();
    return this.#queue(() => this.#readOn());
  }

  add(line: Omit<UsageLine, 'at'>): void {
    if (line.costUsd <= 0) return;
    const { folder, clock, logger } = this.#settings;
    const at = new Date(clock.now()).toISOString();
    void this.#queue(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await appendFile(this.#path(at.slice(0, 10)), `${JSON.stringify({ at, ...line })}\n`, { mode: 0o600 });
      await this.#readOn();
    }).catch((error: unknown) => {
      logger.log('error', 'usage could not be written', { reason: messageOf(error) });
    });
  }

  /** The lines of the last days, today included, the oldest day first; what was added here is among them. */
  async *lines(days: number): AsyncGenerator<UsageLine> {
    await this.flush();
    const now = this.#settings.clock.now();
    for (let ago = days - 1; ago >= 0; ago -= 1) yield* linesOf(this.#path(dateOf(now - ago * dayMs)));
  }

  async flush(): Promise<void> {
    await this.#work.catch(() => undefined);
  }

  async #readOn(): Promise<void> {
    const date = this.#date();
    if (this.#today.date !== date) this.#today = { date, offset: 0, spentUsd: 0 };
    const handle = await open(this.#path(date)).catch(() => undefined);
    if (handle === undefined) return;
    try {
      const { size } = await handle.stat();
      const length = size - this.#today.offset;
      if (length <= 0) return;
      const { buffer } = await handle.read({ buffer: Buffer.alloc(length), position: this.#today.offset });
      const end = buffer.lastIndexOf(0x0a) + 1;
      const lines = buffer.toString('utf8', 0, end).split('\n').flatMap(parseLine);
      const spentUsd = lines.reduce((sum, { costUsd }) => sum + costUsd, this.#today.spentUsd);
      this.#today = { date, offset: this.#today.offset + end, spentUsd };
    } finally {
      await handle.close();
    }
  }

  #queue(task: () => Promise<void>): Promise<void> {
    const done = this.#work.catch(() => undefined).then(task);
    this.#work = done;
    return done;
  }

  #date(): string {
    return dateOf(this.#settings.clock.now());
  }

  #path(date: string): string {
    return join(this.#settings.folder, `${date}.jsonl`);
  }
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Line by line: a day of many servers can be long. */
async function* linesOf(path: string): AsyncGenerator<UsageLine> {
  const handle = await open(path).catch(() => undefined);
  if (handle === undefined) return;
  try {
    for await (const text of handle.readLines()) yield* parseLine(text);
  } finally {
    await handle.close();
  }
}

/** A damaged line is left out: a half-written one must not stop the server. */
function parseLine(text: string): UsageLine[] {
  if (text === '') return [];
  try {
    const parsed = lineSchema.safeParse(JSON.parse(text));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}
