import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { isObject, parseJson } from '../core/json.js';
import { openOwnFile } from '../files/own-file.js';
import { readOpened } from '../files/regular-file.js';
import { readLines } from './journal/journal-file.js';
import { parseRecord, type SessionRecord } from './record.js';

/** Far more than options and grants can need. */
const maxRecordBytes = 16 * 1024 * 1024;

const budgetLine = z.object({ costUsd: z.number().min(0) });

const usageLine = z.object({
  at: z.string(),
  sessionId: z.string(),
  cwd: z.string(),
  costUsd: z.number().min(0),
  turns: z.number(),
  modelUsage: z.unknown().optional(),
});

/** One turn with a cost. */
export type UsageLine = z.infer<typeof usageLine>;

/**
 * Reads what version 0.1 has left in the state folder: whole records, a file per budget, and a file of costs per day.
 * Nothing is written in this format any more.
 */
export class FirstFormat {
  readonly #stateDir: string;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  recordPath(sessionId: string): string {
    return join(this.#stateDir, 'sessions', `${sessionId}.json`);
  }

  async readRecord(sessionId: string): Promise<SessionRecord | undefined> {
    const text = await readOpened(openOwnFile(this.recordPath(sessionId)), maxRecordBytes);
    const value = text === undefined ? undefined : parseJson(text);
    return isObject(value) && value['version'] === 1 ? parseRecord(value, sessionId) : undefined;
  }

  /** Called once its content is in the journal. */
  async removeRecord(sessionId: string): Promise<void> {
    await rm(this.recordPath(sessionId), { force: true });
  }

  /** What a session and its forks had spent. */
  async budgetUsd(sessionId: string): Promise<number> {
    const read = await readLines(join(this.#stateDir, 'budgets', `${sessionId}.jsonl`));
    return (read?.lines ?? []).reduce((sum, text) => sum + usdOf(text), 0);
  }

  /** The costs of one day, oldest first. */
  async usageOf(date: string): Promise<UsageLine[]> {
    const read = await readLines(join(this.#stateDir, 'usage', `${date}.jsonl`));
    return (read?.lines ?? []).flatMap((text) => {
      const parsed = usageLine.safeParse(parseJson(text));
      return parsed.success ? [parsed.data] : [];
    });
  }
}

function usdOf(text: string): number {
  const parsed = budgetLine.safeParse(parseJson(text));
  return parsed.success ? parsed.data.costUsd : 0;
}
