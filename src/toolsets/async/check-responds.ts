import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import type { Session } from '../../session/session.js';
import {
  defineWaitingTool,
  namedId,
  serve,
  type ServedTool,
  type WatchOrView,
} from '../shared/define-tool.js';
import {
  answersField,
  nextModeField,
  planField,
  requestIdField,
  sessionIdField,
  waitField,
} from '../shared/fields.js';
import { missingRequest } from '../shared/missing-request.js';
import { checkOne } from './check-one.js';
import { longText } from './long-text.js';
import { checkOutput } from './snapshot/output.js';
import { claudeCodeReply } from './reply.js';
import { respond } from './respond.js';
import { claudeCodeSession } from './session/session.js';
import { claudeCode } from './start.js';
import { checkRespondsVocabulary } from './wording/vocabulary.js';
import type { Include } from './snapshot/snapshot.js';
import { defaultWaitMs, watchSession } from './snapshot/watch.js';

const schema = z.strictObject({
  action: z.enum(['poll', 'respond_permission', 'respond_user_input']),
  sessionId: sessionIdField,
  cursor: z.int().min(0).optional(),
  responseMode: z.enum(['minimal', 'full']).optional().describe('full adds events'),
  requestId: requestIdField.optional().describe("poll: read this request's full input"),
  decision: z.enum(['allow', 'allow_for_session', 'deny']).optional(),
  denyMessage: z.string().max(20_000).optional(),
  interrupt: z
    .boolean()
    .optional()
    .describe('With deny: stop the turn. Claude then does not read denyMessage'),
  answers: answersField.describe(
    'respond_user_input: {question text or number: label, text, list or {answer,notes}}',
  ),
  pollOptions: z
    .strictObject({
      waitMs: waitField,
      includeTools: z.boolean().optional(),
      includeEvents: z.boolean().optional(),
      includeUsage: z.boolean().optional(),
      maxEvents: z.int().min(1).max(500).optional(),
      resultOffset: z.int().min(0).optional().describe('Read a long result or input from here'),
    })
    .optional(),
  permissionOptions: z
    .strictObject({
      updatedInput: z.record(z.string(), z.unknown()).optional(),
      updatedPermissions: z.array(z.record(z.string(), z.unknown())).max(20).optional(),
      plan: planField,
      nextMode: nextModeField,
    })
    .optional(),
});

/** Watches and answers in one tool, for callers written against the four-tool design. */
const claudeCodeCheckResponds = defineWaitingTool({
  name: 'claude_code_check',
  title: 'Watch a session and answer its requests',
  description:
    'poll waits for a result or request. respond_permission and respond_user_input answer one of the actions, then wait. status: running (poll again), waiting (answer its actions), idle (read result), error (follow nextStep), cancelled.',
  effect: 'destructive',
  input: schema,
  output: checkOutput,
  async begin(input, deps, context) {
    if (input.action === 'poll') {
      return poll(await deps.sessions.findToShow(await deps.sessions.ids.resolve(input.sessionId)), input);
    }
    const { action, sessionId, requestId, pollOptions = {}, permissionOptions = {} } = input;
    if (requestId === undefined) throw missingRequest(sessionId, deps);
    if (action === 'respond_permission' && input.decision === undefined) {
      throw new AppError('decision_missing', { action });
    }
    const request = await deps.sessions.openRequest(requestId, await namedId(sessionId, deps, context));
    const isQuestion = request.kind === 'user_question';
    if (isQuestion !== (action === 'respond_user_input')) {
      throw new AppError('request_of_other_kind', { requestId, kind: request.kind });
    }
    const { decision = 'allow', denyMessage: message, interrupt, answers } = input;
    const given = { decision, message, interrupt, answers, ...permissionOptions };
    return respond({ requestId, sessionId, given, waitMs: pollOptions.waitMs }, deps, context);
  },
  async rejoin(input, { session, cursor }) {
    if (input.action === 'poll') return poll(session, input);
    return watchSession(session, { waitMs: input.pollOptions?.waitMs ?? defaultWaitMs, cursor });
  },
});

function poll(
  session: Session,
  { cursor, responseMode, requestId, pollOptions = {} }: z.infer<typeof schema>,
): WatchOrView {
  const { waitMs, maxEvents, includeTools, includeUsage, resultOffset } = pollOptions;
  const { includeEvents = responseMode === 'full' } = pollOptions;
  const include: Include[] = [
    ...(includeEvents ? (['events'] as const) : []),
    ...(includeTools === true ? (['tools'] as const) : []),
    ...(includeUsage === true ? (['usage'] as const) : []),
  ];
  return (
    longText(session, { requestId, resultOffset }) ??
    checkOne(session, { cursor, waitMs, maxEvents, include, isLater: false })
  );
}

export const checkRespondsTools: readonly ServedTool[] = serve(
  [claudeCode, claudeCodeReply, claudeCodeCheckResponds, claudeCodeSession],
  checkRespondsVocabulary,
);
