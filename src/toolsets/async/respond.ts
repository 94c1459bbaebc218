import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { parseSessionId } from '../../core/ids.js';
import type { InputAnswer } from '../../core/inputs.js';
import type { ToolContext } from '../../core/tool-context.js';
import { fitText } from '../../events/digest.js';
import { defineTool, type ToolDependencies } from '../define-tool.js';
import { defaultWaitMs } from './defaults.js';
import { requestIdField, sessionIdField, waitField } from './fields.js';
import { snapshotOf } from './snapshot.js';
import { waitWithin } from './wait.js';

export const claudeCodeRespond = defineTool({
  name: 'claude_code_respond',
  title: 'Answer a request of a session',
  description: 'Allows or denies what a session asks for (see actions), then waits for what follows.',
  effect: 'destructive',
  input: z.strictObject({
    requestId: requestIdField,
    decision: z.enum(['allow', 'deny']),
    sessionId: sessionIdField.optional(),
    message: z.string().max(20_000).optional().describe('With deny: told to Claude'),
    interrupt: z.boolean().optional().describe('With deny: stop the turn'),
    updatedInput: z.record(z.string(), z.unknown()).optional().describe('With allow: run this input instead'),
    waitMs: waitField.describe('Default 30000'),
  }),
  async handle({ requestId, sessionId, waitMs, ...answer }, deps, context) {
    return respond({ requestId, sessionId, answer: toAnswer(answer), waitMs }, deps, context);
  },
});

export interface Response {
  readonly requestId: string;
  readonly sessionId: string | undefined;
  readonly answer: InputAnswer;
  readonly waitMs: number | undefined;
}

export async function respond(
  response: Response,
  deps: ToolDependencies,
  context: ToolContext,
): Promise<string> {
  const { requestId, sessionId, answer, waitMs = defaultWaitMs } = response;
  const id = sessionId === undefined ? undefined : parseSessionId(sessionId);
  const session = deps.sessions.answer(requestId, id, answer);
  const seen = session.log.head;
  const targets = [{ session, cursor: undefined }];
  const waited = await waitWithin({ targets, mode: 'any', waitMs }, deps, context);
  return fitText((room) => snapshotOf(session, { ...waited, cursor: seen }, room));
}

export function toAnswer(answer: {
  readonly decision: 'allow' | 'deny';
  readonly message?: string | undefined;
  readonly interrupt?: boolean | undefined;
  readonly updatedInput?: Record<string, unknown> | undefined;
}): InputAnswer {
  const { decision, message, interrupt, updatedInput } = answer;
  if (decision === 'deny') {
    if (updatedInput !== undefined) throw mismatch('updatedInput', 'allow');
    return { decision, message: message ?? 'The caller denied this.', interrupt: interrupt ?? false };
  }
  if (message !== undefined) throw mismatch('message', 'deny');
  if (interrupt === true) throw mismatch('interrupt', 'deny');
  return { decision, ...(updatedInput === undefined ? {} : { updatedInput }) };
}

/** Half of what was meant must not be done: the request stays open. */
function mismatch(key: string, decision: string): AppError {
  return new AppError('INVALID_ARGUMENT', `${key} goes with decision "${decision}" only`, {
    hint: 'Leave it out, or change the decision; the request is still open.',
  });
}
