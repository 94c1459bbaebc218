import * as z from 'zod';
import { defineWaitingTool } from '../shared/define-tool.js';
import {
  advancedFields,
  attachmentsField,
  attachmentsWords,
  promptField,
  taskWords,
  topFields,
  waitField,
} from '../shared/fields.js';
import { withPatience } from '../shared/patience.js';
import { sessionAtStart } from '../shared/session-at-start.js';
import { snapshotOutput } from './snapshot/output.js';
import { firstFields, watchSession } from './snapshot/watch.js';

export const claudeCode = defineWaitingTool({
  name: 'claude_code',
  title: 'Start a Claude Code session',
  description:
    'Gives a task to a separate Claude Code agent that edits files and runs commands. Returns a sessionId at once; then call claude_code_check.',
  effect: 'destructive',
  isAlwaysLoaded: true,
  input: z.strictObject({
    prompt: promptField.describe(taskWords),
    attachments: attachmentsField.describe(attachmentsWords),
    ...topFields,
    waitMs: waitField.describe('Wait for a result or request. Default 0'),
    advanced: z.strictObject(advancedFields).optional(),
  }),
  output: snapshotOutput,
  explain: sessionAtStart,
  normalize: moveTimeout,
  async begin({ prompt: text, attachments, waitMs = 0, advanced, ...top }, deps, context) {
    const { sessions } = deps;
    const session = await withPatience(waitMs, deps, context, (enough) =>
      sessions.start({ text, attachments }, { ...top, ...advanced }, context.caller, { enough }),
    );
    // The caller never learns the id and may retry, which would leave two sessions.
    if (context.signal.aborted) await session.cancel();
    return watchSession(session, { waitMs, begun: top, ...firstFields(session, sessions) });
  },
  async rejoin(
    { waitMs = 0, prompt: _prompt, attachments: _attachments, ...begun },
    { session },
    { sessions },
  ) {
    return watchSession(session, { waitMs, begun, ...firstFields(session, sessions) });
  },
});

/** Older servers take `timeout` at the top level. */
function moveTimeout(args: Record<string, unknown>): Record<string, unknown> {
  const { timeout, timeoutMs = timeout, advanced, ...rest } = args;
  if (timeoutMs === undefined || (advanced !== undefined && typeof advanced !== 'object')) return args;
  return { ...rest, advanced: { timeoutMs, ...advanced } };
}
