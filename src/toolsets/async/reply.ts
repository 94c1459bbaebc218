import * as z from 'zod';
import { limitOptions } from '../../core/options/limits.js';
import { defineWaitingTool, namedId } from '../shared/define-tool.js';
import {
  attachmentsField,
  buildChangeFields,
  promptField,
  renameTimeout,
  sessionIdField,
  waitField,
} from '../shared/fields.js';
import { withPatience } from '../shared/patience.js';
import { snapshotOutput } from './snapshot/output.js';
import { firstFields, watchSession } from './snapshot/watch.js';

let resumeConfig: ReturnType<typeof buildResumeConfig> | undefined;

function buildResumeConfig() {
  return z.strictObject({ ...buildChangeFields(), resumeSessionAt: z.uuid().optional() });
}

export const claudeCodeReply = defineWaitingTool({
  name: 'claude_code_reply',
  title: 'Continue a session',
  description: 'Sends the next prompt to a session, with all its history, even after a restart.',
  effect: 'destructive',
  input: z.strictObject({
    sessionId: sessionIdField,
    prompt: promptField.optional(),
    attachments: attachmentsField,
    resumeInterrupted: z.boolean().optional(),
    forkSession: z.boolean().optional(),
    whenBusy: z.enum(['reject', 'queue', 'steer']).optional().describe('Default reject'),
    waitMs: waitField,
    timeoutMs: limitOptions.timeoutMs.schema.optional(),
    maxTurns: limitOptions.maxTurns.schema.optional(),
    maxBudgetUsd: limitOptions.maxBudgetUsd.schema.optional(),
    resumeToken: z.string().min(1).max(200).optional(),
    diskResumeConfig: z
      .lazy(() => (resumeConfig ??= buildResumeConfig()))
      .optional()
      .meta({ isOpaque: true, description: 'Start options to change; resumeSessionAt (message uuid)' }),
  }),
  output: snapshotOutput,
  normalize: renameTimeout,
  async begin(
    { sessionId, prompt, waitMs = 0, forkSession = false, whenBusy = 'reject', ...rest },
    deps,
    context,
  ) {
    const { sessions } = deps;
    const id = await namedId(sessionId, deps, context);
    // A session that this server does not know yet has no events.
    const known = forkSession ? undefined : await sessions.findIfKnown(id);
    const cursor = known?.view.log.head ?? 0;
    const session = await withPatience(waitMs, deps, context, (enough) =>
      sessions.reply(id, prompt, { forkSession, whenBusy, ...rest, enough }, context.caller),
    );
    // The caller never learns the id of the copy, and may retry.
    if (forkSession && context.signal.aborted) await session.cancel();
    return watchSession(session, {
      waitMs,
      cursor,
      begun: rest.diskResumeConfig ?? {},
      ...(forkSession ? firstFields(session, sessions) : {}),
    });
  },
  async rejoin(
    { waitMs = 0, forkSession = false, diskResumeConfig = {} },
    { session, cursor },
    { sessions },
  ) {
    return watchSession(session, {
      waitMs,
      cursor,
      begun: diskResumeConfig,
      ...(forkSession ? firstFields(session, sessions) : {}),
    });
  },
});
