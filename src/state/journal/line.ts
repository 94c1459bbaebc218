import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { parseJson } from '../../core/json.js';

/** The format of the state folder. The first one had whole records instead of lines. */
export const formatVersion = 2;

/** What one turn cost. */
const spentSchema = z.object({
  costUsd: z.number().min(0),
  turns: z.number(),
  modelUsage: z.unknown().optional(),
});
export type Spent = z.infer<typeof spentSchema>;

const lineSchema = z.object({
  v: z.literal(formatVersion),
  at: z.number(),
  /** New values of fields of the record; null removes a field. */
  set: z.record(z.string(), z.unknown()).optional(),
  /** `set` contains all fields: those that it does not name are gone. */
  whole: z.literal(true).optional(),
  spent: spentSchema.optional(),
  /** A fork, which shares the budget. */
  fork: z.uuid().optional(),
});

/** One change of a session. */
export type Line = z.infer<typeof lineSchema>;

const versionSchema = z.object({ v: z.number().gt(formatVersion) });

/** Undefined for a damaged line, which a crash can leave. Throws for a line that a newer version has written. */
export function parseLine(text: string): Line | undefined {
  const value = parseJson(text);
  const parsed = lineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (versionSchema.safeParse(value).success) throw new AppError('state_newer');
  return undefined;
}

export function toText(line: Omit<Line, 'v'>): string {
  return `${JSON.stringify({ v: formatVersion, ...line })}\n`;
}
