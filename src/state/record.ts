import * as z from 'zod';
import type { StartedBy } from '../core/session/turn-result.js';
import { sessionOptions, type EffectiveOptions } from '../core/options/index.js';
import { argument } from '../core/options/define.js';
import { placeOptions } from '../core/options/place.js';
import { secretOptions } from './record-options.js';
import { isSingleRule, toolOptions } from '../core/options/tools.js';
import { turnFailures, type ErrorSubtype } from '../core/session/turn-failures.js';

/** Uses the same schemas as for callers, because a file can contain anything. */
const requestedShape = Object.fromEntries(
  Object.entries(sessionOptions).map(([key, { schema }]) => [key, schema.optional()]),
);

/** Rules become arguments of Claude Code. */
const rule = argument(1_000).refine(isSingleRule);

const optionsSchema = z.looseObject({
  ...requestedShape,
  cwd: placeOptions.cwd.schema,
  permissionMode: toolOptions.permissionMode.schema,
  // Approvals, settings, the operator and other tools may have brought more than a caller can request at once.
  additionalDirectories: z.array(z.string()).optional(),
  allowedTools: z.array(rule).optional(),
  disallowedTools: z.array(rule).optional(),
  sandbox: z.looseObject({}).optional(),
  systemPrompt: z
    .union([
      z.string(),
      z.object({
        type: z.literal('preset'),
        preset: z.literal('claude_code'),
        append: z.string().optional(),
      }),
    ])
    .optional(),
  maxBudgetUsd: z.number().min(0).optional(),
  sessionInitTimeoutMs: z.int().min(100).optional(),
  // 0 means no deadline, which only an operator can set.
  permissionRequestTimeoutMs: z.int().min(0),
  persistSession: z.boolean(),
  notes: z.array(z.string()),
  skippedFiles: z.array(z.string()).optional(),
});

const tokensSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});

const outcomes = ['completed', 'interrupted', 'failed'] as const;

/** What began a turn that answers no prompt. */
const startedBySchema = z.enum(['claude_code', 'rewind']) satisfies z.ZodType<StartedBy>;

/** What callers see of the last turn, without details that only matter while the server runs. */
const resultSchema = z.object({
  /** Missing if it is too long: then it is read from the transcript. */
  result: z.exactOptional(z.string()),
  isError: z.boolean(),
  outcome: z.enum(outcomes),
  errorSubtype: z.exactOptional(z.enum(Object.keys(turnFailures) as ErrorSubtype[])),
  startedBy: z.exactOptional(startedBySchema),
  changedFiles: z.exactOptional(z.array(z.string()).readonly()),
  turn: z.number(),
  durationMs: z.number(),
  numTurns: z.number(),
  totalCostUsd: z.number(),
  sessionTotalTurns: z.number(),
  sessionTotalCostUsd: z.number(),
  structuredOutput: z.unknown().optional(),
  /** The tools of calls that were denied. */
  permissionDenials: z.exactOptional(z.array(z.unknown()).readonly()),
});

/** A turn that has begun and not ended. If its server is gone, this is all that is known about it. */
const openTurnSchema = z.object({
  turn: z.number(),
  startedAt: z.number(),
  startedBy: z.exactOptional(startedBySchema),
  /** What the caller asked, redacted. */
  prompts: z.array(z.string()).readonly(),
  /** Paths of the files that went with them. */
  attachments: z.exactOptional(z.array(z.string()).readonly()),
  /** The message from which it continued, if that was not the last one. */
  resumeAt: z.exactOptional(z.uuid()),
  /** The prompts contained a secret, so they cannot run again as they are here. */
  isRedacted: z.exactOptional(z.literal(true)),
  /** What it may spend. */
  reservedUsd: z.exactOptional(z.number()),
});

const cutTurnSchema = openTurnSchema.pick({
  prompts: true,
  attachments: true,
  resumeAt: true,
  isRedacted: true,
});

const requestSchema = z.object({ requestId: z.string(), summary: z.string() });

const settledSchema = z.object({
  requestId: z.string(),
  decision: z.string(),
  answeredBy: z.string(),
  /** The name of the device, if a person answered on the page. */
  device: z.exactOptional(z.string()),
  at: z.exactOptional(z.number()),
});

const recordSchema = z.object({
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
  openTurn: openTurnSchema.optional(),
  /** A prompt whose turn ended with its server, and can run again. */
  cutTurn: cutTurnSchema.optional(),
  /** The turn after which Claude Code has forgotten answers that it could not write. */
  forgotAfter: z.number().optional(),
  /** Requests that ended with a server since the last turn began. */
  voided: z.array(z.string()).optional(),
  /** The most that the open turn may have cost so far. */
  openCostUsd: z.number().min(0).optional(),
  /** The server that runs the open turn. */
  server: z.string().optional(),
  /** Prompts that wait for the running turn, redacted. */
  queue: z.array(z.string()).optional(),
  /** Open requests. */
  requests: z.array(requestSchema).optional(),
  /** The last requests that were settled. */
  settled: z.array(settledSchema).optional(),
  totals: z.object({ turns: z.number(), costUsd: z.number(), tokens: tokensSchema.optional() }),
  /** The session whose budget it uses: its own, or the session it was forked from. */
  potId: z.uuid().optional(),
  /** The forks that share its budget. */
  forks: z.array(z.uuid()).optional(),
  /** Spent before the budget was kept here, by forks that are not listed. */
  spentBeforeUsd: z.number().min(0).optional(),
  /** Started by someone else and continued here. */
  isForeign: z.boolean().optional(),
  /** Options that may be secret and are therefore not saved. */
  withheld: z.array(z.enum(secretOptions)).optional(),
  grants: z
    .object({
      calls: z.array(z.string()),
      rules: z.array(rule),
      callsByPerson: z.array(z.string()).optional(),
      rulesByPerson: z.array(z.string()).optional(),
    })
    .optional(),
  /** Shows that a server has written the grants. */
  grantsMac: z.string().optional(),
  /** The policy decides again which of these a resumed session gets. */
  options: z.custom<EffectiveOptions>((value) => optionsSchema.safeParse(value).success),
  /** Shows that a server has written the options. */
  optionsMac: z.string().optional(),
});

/** What remains of a session after its process or server has stopped. */
export type SessionRecord = z.infer<typeof recordSchema>;

/** Undefined if a value is not a record of this session. */
export function parseRecord(value: unknown, sessionId: string): SessionRecord | undefined {
  const parsed = recordSchema.safeParse(value);
  return parsed.success && parsed.data.sessionId === sessionId ? parsed.data : undefined;
}
