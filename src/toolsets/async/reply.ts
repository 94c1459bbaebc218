import * as z from 'zod';
import { parseSessionId } from '../../core/ids.js';
import { limitOptions } from '../../core/options/limits.js';
import { fitText } from '../../events/digest.js';
import { defineTool } from '../define-tool.js';
import { promptField, sessionIdField, waitField } from './fields.js';
import { snapshotOf } from './snapshot.js';
import { waitWithin } from './wait.js';

export const claudeCodeReply = defineTool({
  name: 'claude_code_reply',
  title: 'Continue a Claude Code session',
  description: 'Sends another prompt to a session; one that has ended is resumed with its history.',
  effect: 'destructive',
  input: z.strictObject({
    sessionId: sessionIdField,
    prompt: promptField,
    forkSession: z.boolean().optional().describe('Go on in a copy with its own id'),
    whenBusy: z
      .enum(['reject', 'queue', 'steer'])
      .optional()
      .describe('While a turn runs: reject (default), queue = a turn after it, steer = join it'),
    waitMs: waitField,
    timeoutMs: limitOptions.timeoutMs.schema.optional(),
    maxTurns: limitOptions.maxTurns.schema.optional(),
    maxBudgetUsd: limitOptions.maxBudgetUsd.schema.optional(),
  }),
  normalize: ({ timeout, ...rest }) => (timeout === undefined ? rest : { timeoutMs: timeout, ...rest }),
  async handle(
    { sessionId, prompt, waitMs = 0, forkSession = false, whenBusy = 'reject', ...limits },
    deps,
    context,
  ) {
    const id = parseSessionId(sessionId);
    const seen = forkSession ? 0 : (await deps.sessions.find(id)).log.head;
    const session = await deps.sessions.reply(id, prompt, { forkSession, whenBusy, ...limits });
    const targets = [{ session, cursor: undefined }];
    const waited = await waitWithin({ targets, mode: 'any', waitMs }, deps, context);
    return fitText((room) => snapshotOf(session, { ...waited, cursor: seen, isFirst: forkSession }, room));
  },
});
