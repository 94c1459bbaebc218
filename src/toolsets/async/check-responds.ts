import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import type { Session } from '../../session/session.js';
import {
  defineWaitingTool,
  namedId,
  serve,
  type ServedTool,
  type ToolDependencies,
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
      refuseAnswer(input);
      const session = await deps.sessions.findToShow(await deps.sessions.ids.resolve(input.sessionId));
      return poll(session, input, deps);
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
    const more = { include: new Set(included(input)), maxEvents: pollOptions.maxEvents };
    return respond({ requestId, sessionId, given, waitMs: pollOptions.waitMs, more }, deps, context);
  },
  async rejoin(input, { session, cursor }, deps) {
    if (input.action === 'poll') return poll(session, input, deps);
    const { waitMs = defaultWaitMs, maxEvents } = input.pollOptions ?? {};
    return watchSession(session, { waitMs, cursor, include: new Set(included(input)), maxEvents });
  },
});

type Input = z.infer<typeof schema>;

const polling = ['sessionId', 'requestId', 'cursor', 'responseMode', 'pollOptions'] as const;

/** A caller that polls with an answer would believe that the request is settled. */
function refuseAnswer({ action, decision, denyMessage, interrupt, answers, permissionOptions }: Input): void {
  const given = { decision, denyMessage, interrupt, answers, permissionOptions };
  const misfit = Object.entries(given).find(
    ([, value]) =>
      value !== undefined &&
      value !== false &&
      !(typeof value === 'object' && Object.keys(value).length === 0),
  );
  if (misfit !== undefined)
    throw new AppError('action_key_misfit', { key: misfit[0], action, takes: polling });
}

function poll(session: Session, input: Input, { sessions }: ToolDependencies): WatchOrView {
  const { cursor, requestId, pollOptions: { waitMs, maxEvents, resultOffset } = {} } = input;
  return (
    longText(session, { requestId, resultOffset }, sessions) ??
    checkOne(session, { cursor, waitMs, maxEvents, include: included(input), isLater: false })
  );
}

function included({ responseMode, pollOptions = {} }: Input): readonly Include[] {
  const { includeEvents = responseMode === 'full', includeTools, includeUsage } = pollOptions;
  return [
    ...(includeEvents ? (['events'] as const) : []),
    ...(includeTools === true ? (['tools'] as const) : []),
    ...(includeUsage === true ? (['usage'] as const) : []),
  ];
}

export const checkRespondsTools: readonly ServedTool[] = serve(
  [claudeCode, claudeCodeReply, claudeCodeCheckResponds, claudeCodeSession],
  checkRespondsVocabulary,
);
