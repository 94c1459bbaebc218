import * as z from 'zod';
import { shrinking } from '../../core/view.js';
import { requestIdField, sessionIdField } from '../shared/fields.js';
import { defineTool, namedId } from '../shared/define-tool.js';
import { missingRequest } from '../shared/missing-request.js';
import { briefOf } from './brief.js';
import { briefOutput } from './output.js';
import { toAnswer } from './to-answer.js';

export const claudeRespond = defineTool({
  name: 'claude_respond',
  title: 'Answer a pending input',
  description:
    "Answers one of a session's pendingInputs; then call claude_get_status. For a question: allow with updatedInput {answers}, a list in the order of the questions or an object by question text.",
  effect: 'destructive',
  input: z.strictObject({
    sessionId: sessionIdField,
    inputId: requestIdField,
    decision: z.enum(['allow', 'deny']),
    reason: z.string().max(20_000).optional().describe('With deny: why, or what to do instead'),
    updatedInput: z.record(z.string(), z.unknown()).optional().describe('With allow: run this instead'),
  }),
  output: briefOutput,
  explain: ({ inputId, sessionId }, deps) =>
    inputId === undefined || inputId === '' ? missingRequest(sessionId, deps) : undefined,
  async handle({ sessionId, inputId, ...response }, deps, context) {
    const { sessions } = deps;
    const id = await namedId(sessionId, deps, context);
    const request = await sessions.openRequest(inputId, id);
    const session = await sessions.find(id);
    await sessions.approvals.answer(session.view, request, toAnswer(request, response), context.caller);
    return { view: shrinking((room) => briefOf(session.view, deps.words, room)) };
  },
});
