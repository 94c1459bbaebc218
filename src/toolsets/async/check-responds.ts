import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { parseSessionId } from '../../core/ids.js';
import {
  defineWaitingTool,
  serve,
  type ServedTool,
  type Tool,
  type ToolDependencies,
} from '../shared/define-tool.js';
import type { Watch } from '../shared/watch.js';
import { defaultWaitMs } from './defaults.js';
import { watchFrom } from './snapshot/watch-from.js';
import { checkOne } from './check-one.js';
import { checkRespondsFields } from './check-responds-fields.js';
import { checkOutput } from './snapshot/output.js';
import { claudeCodeReply } from './reply.js';
import { respond } from './respond.js';
import { claudeCodeSession } from './session/session.js';
import { claudeCode } from './start.js';
import { checkRespondsVocabulary } from './wording/vocabulary.js';
import type { Include } from './snapshot/snapshot.js';

const schema = z.strictObject(checkRespondsFields);

/** One tool that watches and answers, for callers written against the four-tool design. */
const claudeCodeCheckResponds = defineWaitingTool({
  name: 'claude_code_check',
  title: 'Watch a session and answer its requests',
  description:
    'action poll waits for news of a session; respond_permission and respond_user_input answer one of its actions, then wait for what follows.',
  effect: 'destructive',
  input: schema,
  output: checkOutput,
  async begin(input, deps, { caller }) {
    if (input.action === 'poll') return poll(input, deps);
    const { action, sessionId, requestId, pollOptions = {}, permissionOptions = {} } = input;
    if (requestId === undefined) throw new AppError('request_id_missing', { action });
    if (action === 'respond_permission' && input.decision === undefined) {
      throw new AppError('decision_missing', { action });
    }
    const request = deps.sessions.openInput(requestId, parseSessionId(sessionId));
    const isQuestion = request.kind === 'user_question';
    if (isQuestion !== (action === 'respond_user_input')) {
      throw new AppError('request_of_other_kind', { requestId, kind: request.kind });
    }
    const { decision = 'allow', denyMessage: message, interrupt, answers } = input;
    const given = { decision, message, interrupt, answers, ...permissionOptions };
    return respond({ requestId, sessionId, given, waitMs: pollOptions.waitMs }, deps, caller);
  },
  async rejoin(input, { sessionId, cursor }, deps) {
    if (input.action === 'poll') return poll(input, deps);
    const session = await deps.sessions.find(parseSessionId(sessionId));
    return watchFrom(session, cursor, { waitMs: input.pollOptions?.waitMs ?? defaultWaitMs });
  },
});

function poll(
  { sessionId, cursor, responseMode, pollOptions = {} }: z.infer<typeof schema>,
  deps: ToolDependencies,
): Promise<Watch> {
  const { waitMs, maxEvents, includeTools, includeUsage } = pollOptions;
  const { includeEvents = responseMode === 'full' } = pollOptions;
  const include: Include[] = [
    ...(includeEvents ? (['events'] as const) : []),
    ...(includeTools === true ? (['tools'] as const) : []),
    ...(includeUsage === true ? (['usage'] as const) : []),
  ];
  return checkOne({ sessionId, cursor, waitMs, maxEvents, include }, deps);
}

/** Its usual description names a tool that is not served here. */
const claudeCodeStart: Tool = {
  ...claudeCode,
  description:
    'Starts Claude Code on a task and returns at once with a sessionId. Watch it, and answer its requests, with claude_code_check.',
};

export const checkRespondsTools: readonly ServedTool[] = serve(
  [claudeCodeStart, claudeCodeReply, claudeCodeCheckResponds, claudeCodeSession],
  checkRespondsVocabulary,
);
