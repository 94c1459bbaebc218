import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../core/json.js';
import { sessionOptions, type EffectiveOptions } from '../core/options/index.js';
import { argument } from '../core/options/define.js';
import { placeOptions } from '../core/options/place.js';
import { secretOptions } from './record-options.js';
import { isSingleRule, toolOptions } from '../core/options/tools.js';
import { isUuid, type SessionId } from '../core/ids.js';
import { turnFailures, type ErrorSubtype } from '../core/session/turn-failures.js';
import { replaceFile } from '../files/atomic-write.js';
import { openOwnFile } from '../files/own-file.js';
import { readOpened } from '../files/regular-file.js';

/** Uses the same schemas as for callers, because a file can contain anything. */
const requestedShape = Object.fromEntries(
  Object.entries(sessionOptions).map(([key, { schema }]) => [key, schema.optional()]),
);

const optionsSchema = z.looseObject({
  ...requestedShape,
  cwd: placeOptions.cwd.schema,
  permissionMode: toolOptions.permissionMode.schema,
  // Approvals and the operator may have added more than a caller can request at once.
  additionalDirectories: z.array(z.string()).optional(),
  allowedTools: z.array(argument(500).refine(isSingleRule)).optional(),
  // 0 means no deadline, which only an operator can set.
  permissionRequestTimeoutMs: z.int().min(0),
  persistSession: z.boolean(),
  notes: z.array(z.string()),
  skippedFiles: z.array(z.string()).optional(),
});

/** Far more than options and grants can need. */
const maxRecordBytes = 16 * 1024 * 1024;

/** Granted rules become arguments of Claude Code, like those of a caller. */
const grantedRule = argument(500).refine(isSingleRule);

const tokensSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});

const outcomes = ['completed', 'interrupted', 'failed'] as const;

/** What callers see of the last turn, without details that only matter while the server runs. */
const resultSchema = z.object({
  result: z.string(),
  isError: z.boolean(),
  outcome: z.enum(outcomes),
  errorSubtype: z.exactOptional(z.enum(Object.keys(turnFailures) as ErrorSubtype[])),
  startedBy: z.exactOptional(z.literal('claude_code')),
  changedFiles: z.exactOptional(z.array(z.string()).readonly()),
  turn: z.number(),
  durationMs: z.number(),
  numTurns: z.number(),
  totalCostUsd: z.number(),
  sessionTotalTurns: z.number(),
  sessionTotalCostUsd: z.number(),
  structuredOutput: z.unknown().optional(),
});

const recordSchema = z.object({
  version: z.literal(1),
  sessionId: z.uuid(),
  claudeSessionId: z.uuid(),
  createdAt: z.number(),
  updatedAt: z.number(),
  status: z.enum(['running', 'waiting', 'idle', 'error', 'cancelled']),
  outcome: z.enum(outcomes).optional(),
  turn: z.number(),
  /** Names the session in lists. */
  firstPrompt: z.string().optional(),
  /** The number of its events, so that cursors stay meaningful. */
  cursor: z.int().min(1).optional(),
  /** Left out if it cannot be read: the session can be resumed without it. */
  lastResult: resultSchema.optional().catch(undefined),
  totals: z.object({ turns: z.number(), costUsd: z.number(), tokens: tokensSchema.optional() }),
  /** The session whose budget it uses: its own, or the session it was forked from. */
  potId: z.uuid().optional(),
  /** Started by someone else and continued here. */
  isForeign: z.boolean().optional(),
  /** Options that may be secret and are therefore not saved. */
  withheld: z.array(z.enum(secretOptions)).optional(),
  grants: z
    .object({
      calls: z.array(z.string()),
      rules: z.array(grantedRule),
      callsByPerson: z.array(z.string()).optional(),
      rulesByPerson: z.array(z.string()).optional(),
    })
    .optional(),
  /** The policy decides again which of these a resumed session gets. */
  options: z.custom<EffectiveOptions>((value) => optionsSchema.safeParse(value).success),
});

/** What remains of a session after its process or server has stopped. */
export type SessionRecord = z.infer<typeof recordSchema>;

/** Stores records as files with mode 0600, replaced atomically: a crash leaves either the old record or the new one. */
export class RecordStore {
  readonly #folder: string;
  /** Writes of one session run in order, so that the newest record wins. */
  readonly #writes = new Map<string, Promise<void>>();

  constructor(stateDir: string) {
    this.#folder = join(stateDir, 'sessions');
  }

  save(record: SessionRecord): Promise<void> {
    const before = this.#writes.get(record.sessionId) ?? Promise.resolve();
    const write = before.catch(() => undefined).then(() => this.#write(record));
    this.#writes.set(record.sessionId, write);
    return write.finally(() => {
      if (this.#writes.get(record.sessionId) === write) this.#writes.delete(record.sessionId);
    });
  }

  async load(sessionId: SessionId): Promise<SessionRecord | undefined> {
    await this.#writes.get(sessionId)?.catch(() => undefined);
    return this.#read(sessionId);
  }

  /** Finds the session by Claude Code's id, which differs from ours after `/clear`. */
  async findByClaudeId(claudeSessionId: SessionId): Promise<SessionId | undefined> {
    const text = await readOwn(this.#aliasPath(claudeSessionId));
    return text !== undefined && isUuid(text) ? (text as SessionId) : undefined;
  }

  /** Whether there is a record that cannot be read: the session must not start over as if there were none. */
  async isDamaged(sessionId: SessionId): Promise<boolean> {
    const isThere = await lstat(this.#path(sessionId)).then(
      () => true,
      () => false,
    );
    return isThere && (await this.#read(sessionId)) === undefined;
  }

  async #read(sessionId: string): Promise<SessionRecord | undefined> {
    const text = await readOwn(this.#path(sessionId));
    if (text === undefined) return undefined;
    // A damaged record counts as missing; the session can still be found by its transcript.
    const parsed = recordSchema.safeParse(parseJson(text));
    return parsed.success && parsed.data.sessionId === sessionId ? parsed.data : undefined;
  }

  async remove(sessionId: SessionId): Promise<void> {
    await this.#writes.get(sessionId)?.catch(() => undefined);
    await rm(this.#path(sessionId), { force: true });
  }

  /** Resolves when all pending writes are on disk. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#writes.values());
  }

  async #write(record: SessionRecord): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Another server may have cancelled it, and a cancelled session stays cancelled.
    if (record.status !== 'cancelled' && (await this.#read(record.sessionId))?.status === 'cancelled') return;
    await replaceFile(this.#path(record.sessionId), JSON.stringify(record));
    await this.#writeAlias(record);
  }

  async #writeAlias({ sessionId, claudeSessionId }: SessionRecord): Promise<void> {
    if (claudeSessionId === sessionId) return;
    await mkdir(join(this.#folder, 'aliases'), { recursive: true, mode: 0o700 });
    await replaceFile(this.#aliasPath(claudeSessionId), sessionId);
  }

  #aliasPath(claudeSessionId: string): string {
    return join(this.#folder, 'aliases', claudeSessionId);
  }

  #path(sessionId: string): string {
    return join(this.#folder, `${sessionId}.json`);
  }
}

/** Undefined for a missing file, and for one that another user may have put there. */
function readOwn(path: string): Promise<string | undefined> {
  return readOpened(openOwnFile(path), maxRecordBytes);
}
