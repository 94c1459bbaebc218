import * as z from 'zod';
import { fitText } from '../../events/digest.js';
import { defineTool } from '../define-tool.js';
import { advancedFields, promptField, topFields, waitField } from './fields.js';
import { snapshotOf } from './snapshot.js';
import { waitWithin } from './wait.js';

export const claudeCode = defineTool({
  name: 'claude_code',
  title: 'Start a Claude Code session',
  description:
    'Starts Claude Code on a task and returns at once with a sessionId. Watch it with claude_code_check; answer its requests with claude_code_respond.',
  effect: 'destructive',
  input: z.strictObject({
    prompt: promptField.describe('The task, as text: @path and /command are not expanded'),
    ...topFields,
    waitMs: waitField.describe('Wait this long for a result or request. Default 0'),
    advanced: z.strictObject(advancedFields).optional(),
  }),
  normalize: moveTimeout,
  async handle({ prompt, waitMs = 0, advanced, ...top }, deps, context) {
    const session = await deps.sessions.start(prompt, { ...top, ...advanced });
    // The caller will never learn the id, and may well try again.
    if (context.signal.aborted) await session.cancel();
    const targets = [{ session, cursor: undefined }];
    const waited = await waitWithin({ targets, mode: 'any', waitMs }, deps, context);
    return fitText((room) => snapshotOf(session, { ...waited, isFirst: true }, room));
  },
});

/** Earlier servers of this kind had `timeout` at the top. */
function moveTimeout(args: Record<string, unknown>): Record<string, unknown> {
  const { timeout, timeoutMs = timeout, advanced, ...rest } = args;
  if (timeoutMs === undefined || (advanced !== undefined && typeof advanced !== 'object')) return args;
  return { ...rest, advanced: { timeoutMs, ...advanced } };
}
