import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { defineTool, type Tool } from '../define-tool.js';
import { checkOne } from './check-one.js';
import { checkRespondsFields } from './check-responds-fields.js';
import { claudeCodeReply } from './reply.js';
import { respond } from './respond.js';
import { claudeCodeSession } from './session.js';
import { claudeCode } from './start.js';
import type { Include } from './snapshot.js';

/** One tool that watches and answers, for callers written against the four-tool design. */
const claudeCodeCheckResponds = defineTool({
  name: 'claude_code_check',
  title: 'Watch a session and answer its requests',
  description:
    'action poll waits for news of a session; respond_permission and respond_user_input answer one of its actions, then wait for what follows.',
  effect: 'destructive',
  input: z.strictObject(checkRespondsFields),
  async handle(input, deps, context) {
    const { action, sessionId, cursor, requestId, pollOptions = {}, permissionOptions = {} } = input;
    const {
      waitMs,
      includeTools,
      includeUsage,
      includeEvents = input.responseMode === 'full',
      maxEvents,
    } = pollOptions;
    if (action === 'poll') {
      const include: Include[] = [
        ...(includeEvents ? (['events'] as const) : []),
        ...(includeTools === true ? (['tools'] as const) : []),
        ...(includeUsage === true ? (['usage'] as const) : []),
      ];
      return checkOne({ sessionId, cursor, waitMs, maxEvents, include }, deps, context);
    }
    if (requestId === undefined)
      throw new AppError('INVALID_ARGUMENT', `action "${action}" needs a requestId`);
    if (action === 'respond_permission' && input.decision === undefined) {
      throw new AppError('INVALID_ARGUMENT', `action "${action}" needs a decision`, {
        hint: 'Say allow or deny.',
      });
    }
    const request = deps.sessions.openInput(requestId);
    const isQuestion = request.kind === 'user_question';
    if (isQuestion !== (action === 'respond_user_input')) {
      throw new AppError('INVALID_ARGUMENT', `request ${requestId} is a ${request.kind}`, {
        hint: `Use action "${isQuestion ? 'respond_user_input' : 'respond_permission'}".`,
      });
    }
    const { decision = 'allow', denyMessage: message, interrupt, answers } = input;
    const { updatedInput } = permissionOptions;
    const given = { decision, message, interrupt, answers, updatedInput };
    return respond({ requestId, sessionId, given, waitMs }, deps, context);
  },
});

export const checkRespondsTools: readonly Tool[] = [
  claudeCode,
  claudeCodeReply,
  claudeCodeCheckResponds,
  claudeCodeSession,
];
