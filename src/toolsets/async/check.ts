import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { defineWaitingTool, type ToolDependencies, type WatchOrView } from '../shared/define-tool.js';
import { checkMany } from './check-many.js';
import { checkOne } from './check-one.js';
import { requestIdField, sessionIdField, waitField } from '../shared/fields.js';
import { checkOutput } from './snapshot/output.js';
import { longText } from './long-text.js';

const input = z.strictObject({
  sessionId: sessionIdField.optional(),
  // No id contains a comma, so a text with several ids can be split.
  sessionIds: z
    .array(sessionIdField.refine((id) => !id.includes(','), 'must be one id'))
    .min(1)
    .max(25)
    .optional(),
  waitFor: z
    .enum(['any', 'all'])
    .optional()
    .describe('Return on news from any (default), or once none is running'),
  cursor: z
    .union([z.int().min(0), z.string().min(1).max(4_000)])
    .optional()
    .describe('From the last answer: return only later news'),
  waitMs: waitField.describe('Default 30000'),
  maxEvents: z.int().min(1).max(500).optional(),
  include: z.array(z.enum(['events', 'tools', 'usage'])).optional(),
  requestId: requestIdField.optional().describe("Read a request's full input"),
  resultOffset: z.int().min(0).optional().describe('Read a long result or input from here'),
});

export const claudeCodeCheck = defineWaitingTool({
  name: 'claude_code_check',
  title: 'Watch sessions',
  description:
    'Waits for a result or request. status: running (check again), waiting (answer its actions), idle (read result), error (follow nextStep), cancelled.',
  effect: 'read',
  input,
  output: checkOutput,
  begin: check,
  // Safe to repeat, because a check changes nothing.
  rejoin: (input, _at, deps) => check(input, deps),
});

async function check(
  { sessionId, sessionIds, requestId, resultOffset, ...rest }: z.infer<typeof input>,
  deps: ToolDependencies,
): Promise<WatchOrView> {
  if (sessionIds !== undefined && sessionId === undefined) {
    if (requestId !== undefined) throw new AppError('page_of_several', { key: 'requestId' });
    if (resultOffset !== undefined) throw new AppError('page_of_several', { key: 'resultOffset' });
    return checkMany({ ...rest, sessionIds }, deps);
  }
  if (sessionId === undefined || sessionIds !== undefined) throw new AppError('one_or_several');
  const session = await deps.sessions.findToShow(await deps.sessions.ids.resolve(sessionId));
  return longText(session, { requestId, resultOffset }, deps.sessions) ?? checkOne(session, rest);
}
