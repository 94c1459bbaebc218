import * as z from 'zod';
import { parseSessionId } from '../../core/ids.js';
import { permissionModes } from '../../core/options/tools.js';
import type { ToolContext } from '../../core/tool-context.js';
import { fitText } from '../../events/digest.js';
import type { GivenAnswer } from '../../inputs/build-answer.js';
import { defineTool, type ToolDependencies } from '../define-tool.js';
import { defaultWaitMs } from './defaults.js';
import { answersField, requestIdField, sessionIdField, waitField } from './fields.js';
import { snapshotOf } from './snapshot.js';
import { waitWithin } from './wait.js';

export const claudeCodeRespond = defineTool({
  name: 'claude_code_respond',
  title: 'Answer a request of a session',
  description:
    'Answers what a session asks for (see actions), then waits for what follows. A question is answered with allow and answers.',
  effect: 'destructive',
  input: z.strictObject({
    requestId: requestIdField,
    decision: z.enum(['allow', 'allow_for_session', 'deny']),
    sessionId: sessionIdField.optional(),
    message: z.string().max(20_000).optional().describe('With deny: told to Claude'),
    interrupt: z.boolean().optional().describe('With deny: stop the turn'),
    updatedInput: z.record(z.string(), z.unknown()).optional().describe('With allow: run this input instead'),
    answers: answersField.describe(
      'user_question: by question text or number; label, text, list or {answer,notes}',
    ),
    plan: z.string().max(200_000).optional().describe('plan_review: approve this instead'),
    nextMode: z.enum(permissionModes).optional().describe('plan_review: default or acceptEdits'),
    waitMs: waitField.describe('Default 30000'),
  }),
  async handle({ requestId, sessionId, waitMs, ...given }, deps, context) {
    return respond({ requestId, sessionId, given, waitMs }, deps, context);
  },
});

export interface Response {
  readonly requestId: string;
  readonly sessionId: string | undefined;
  readonly given: GivenAnswer;
  readonly waitMs: number | undefined;
}

export async function respond(
  response: Response,
  deps: ToolDependencies,
  context: ToolContext,
): Promise<string> {
  const { requestId, sessionId, given, waitMs = defaultWaitMs } = response;
  const id = sessionId === undefined ? undefined : parseSessionId(sessionId);
  const session = deps.sessions.answer(requestId, id, given);
  const seen = session.log.head;
  const targets = [{ session, cursor: undefined }];
  const waited = await waitWithin({ targets, mode: 'any', waitMs }, deps, context);
  return fitText((room) => snapshotOf(session, { ...waited, cursor: seen }, room));
}
