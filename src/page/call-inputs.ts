import * as z from 'zod';
import { AppError } from '../core/errors.js';
import { parseSessionId } from '../core/ids.js';
import { limitOptions } from '../core/options/limits.js';
import { permissionModes } from '../core/options/tools.js';
import type { DeskCall } from './desk.js';

/** The address of the page contains it, so it has an error of its own. */
const sessionId = z.string().transform(parseSessionId);
const mode = z.enum(permissionModes);
const prompt = z.string().trim().min(1).max(1_000_000);
const short = z.string().max(200);
const jsonObject = z.record(z.string(), z.unknown());

export const answerSchema = z.strictObject({
  requestId: short,
  decision: z.enum(['allow', 'allow_for_session', 'deny']),
  message: z.string().max(20_000).optional(),
  input: jsonObject.optional(),
  answers: z.record(z.string(), z.array(z.string().max(20_000)).max(50)).optional(),
  nextMode: mode.optional(),
});

/** What each call takes. The page is our own, but another program can have its cookie and key. */
const schemas = {
  answer: answerSchema,
  sessions: z.strictObject({
    search: short.optional(),
    status: z.enum(['running', 'waiting', 'idle', 'error', 'cancelled', 'disk']).optional(),
    offset: z.int().min(0).max(1_000_000),
    limit: z.int().min(1).max(200),
  }),
  session: z.strictObject({ sessionId }),
  events: z.strictObject({ sessionId, before: z.number().min(0), limit: z.int().min(1).max(1_000) }),
  toolCall: z.strictObject({ sessionId, toolUseId: short }),
  changes: z.strictObject({ sessionId }),
  usage: z.strictObject({}),
  folders: z.strictObject({ begin: z.string().max(4_096) }),
  start: z.strictObject({
    prompt,
    folder: z.string().min(1).max(4_096),
    mode: mode.optional(),
    budgetUsd: limitOptions.maxBudgetUsd.schema.optional(),
  }),
  reply: z.strictObject({ sessionId, prompt, whenBusy: z.enum(['steer', 'queue']) }),
  interrupt: z.strictObject({ sessionId }),
  cancel: z.strictObject({ sessionId }),
} as const satisfies Readonly<Record<DeskCall, z.ZodType>>;

export type CallInput<Name extends DeskCall> = z.output<(typeof schemas)[Name]>;

/** Throws an AppError that names what is wrong. */
export function parseInput<Name extends DeskCall>(name: Name, input: unknown): CallInput<Name> {
  const parsed = schemas[name].safeParse(input, { error: problemOf });
  if (parsed.success) return parsed.data as CallInput<Name>;
  const problems = new Set(
    parsed.error.issues.map(({ path, message }) => `${fields[String(path[0])] ?? 'a value'} ${message}`),
  );
  throw new AppError('arguments_invalid', { problems: [...problems] });
}

/** What a person enters on the page. The page itself chooses all other values. */
const fields: Readonly<Record<string, string>> = {
  answers: 'an answer',
  begin: 'the folder',
  budgetUsd: 'the budget',
  folder: 'the folder',
  message: 'the message',
  prompt: 'the prompt',
  search: 'the search text',
};

/** Completes a sentence that begins with the name of the field. The words of zod are not for people. */
function problemOf(issue: Parameters<z.core.$ZodErrorMap>[0]): string {
  if (issue.code === 'too_big')
    return issue.origin === 'string'
      ? `is longer than ${issue.maximum} characters`
      : `is larger than ${issue.maximum}`;
  if (issue.code !== 'too_small') return 'is not valid';
  return issue.origin === 'string' ? 'is empty' : 'is too small';
}
