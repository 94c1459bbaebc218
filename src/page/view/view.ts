import { setImmediate as otherWork } from 'node:timers/promises';
import * as z from 'zod';
import { parseSessionId } from '../../core/ids.js';
import type { ToolContext } from '../../core/tool-context.js';
import { always, shrinking, ApproverText, type View } from '../../core/view.js';
import { givenIn } from '../answers.js';
import { answerSchema } from '../call-inputs.js';
import { cardOf } from '../cards.js';
import type { Card } from '../contract.js';
import { whileUsed } from '../../inputs/while-used.js';
import { waitForNews } from '../../sessions/waits.js';
import { defineTool, namedId, type HandlerDependencies } from '../../toolsets/shared/define-tool.js';
import { requestIdField, sessionIdField, waitField } from '../../toolsets/shared/fields.js';
import { overview } from './overview.js';

/** The page that shows the answers of this tool. */
const viewUri = 'ui://claude-code/view.html';

/** Hosts give up on a call of a view after 30 seconds. */
const longestWaitMs = 20_000;
/** As JSON inside JSON, each character may take two. */
const cardPageChars = 3_000;

export const claudeCodeView = defineTool({
  name: 'claude_code_view',
  title: 'Show sessions',
  description:
    'Shows open requests and sessions to the person in a view of the client, if it supports MCP Apps. Call it once and pass at most sessionId: the view updates itself.',
  effect: 'destructive',
  shownIn: viewUri,
  input: z.strictObject({
    sessionId: sessionIdField.optional().describe('Session to show'),
    after: z.int().min(0).optional().describe('View only: last event shown'),
    requestId: requestIdField.optional().describe('View only: request to read'),
    offset: z.int().min(0).optional().describe('View only: where to read on'),
    answer: answerSchema.optional().describe('View only: what the person chose'),
    waitMs: waitField.describe('View only: wait for news'),
  }),
  output: () => z.looseObject({}),
  async handle({ sessionId, after = 0, requestId, offset = 0, answer, waitMs = 0 }, deps, context) {
    if (answer !== undefined) await give(answer, deps, context);
    if (requestId !== undefined) return { view: await cardPage(requestId, offset, deps) };
    const session =
      sessionId === undefined
        ? undefined
        : await deps.sessions.findToShow(await namedId(sessionId, deps, context));
    await news(waitMs, deps, context);
    const mayApprove = deps.sessions.approvals.mayApprove(context.caller);
    return { view: shrinking((room) => overview(deps.sessions, { session, after, mayApprove }, room)) };
  },
});

/** A view cannot prove that a person clicked, so this is the answer of a caller. */
async function give(
  answer: z.infer<typeof answerSchema>,
  { sessions }: HandlerDependencies,
  { caller, concerns }: ToolContext,
): Promise<void> {
  const request = await sessions.openRequest(answer.requestId, undefined);
  concerns(request.sessionId);
  const { view } = await sessions.find(parseSessionId(request.sessionId));
  await sessions.approvals.answer(view, request, givenIn(answer, request), caller);
}

/** The view reads it in many calls. */
const jsonOf = whileUsed((card: Card) => ({ json: JSON.stringify(card) }));

/** A request in full, as a part of its JSON: the view reads on until it has all of it. */
async function cardPage(requestId: string, offset: number, { sessions }: HandlerDependencies): Promise<View> {
  const request = await sessions.openRequest(requestId, undefined);
  const { redactor } = sessions.approvals;
  const { json } = jsonOf(await cardOf(request, { sessions, redactor }, otherWork));
  const page = json.slice(offset, offset + cardPageChars);
  return always({ requestId, card: new ApproverText(page), offset, chars: json.length });
}

async function news(
  waitMs: number,
  { sessions, maxWaitMs }: HandlerDependencies,
  { signal }: ToolContext,
): Promise<void> {
  const targets = sessions.list().map((session) => ({ session, cursor: session.view.log.head }));
  await waitForNews(targets, {
    mode: 'any',
    ms: targets.length === 0 ? 0 : Math.min(waitMs, maxWaitMs, longestWaitMs),
    signal,
    clock: sessions.clock,
    // A view shows every request, also those that a person sees elsewhere.
    isHandled: () => false,
    isEnough: () => false,
  });
}
