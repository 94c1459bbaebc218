import * as z from 'zod';
import { parseSessionId } from '../../core/ids.js';
import type { SessionEvent } from '../../core/session/events.js';
import type { ToolContext } from '../../core/tool-context.js';
import type { Session } from '../../session/session.js';
import type { CallerAnswer } from '../../sessions/approvals.js';
import { defineWaitingTool, namedId, type ToolDependencies } from '../shared/define-tool.js';
import type { Watch } from '../shared/watch.js';
import {
  answersField,
  nextModeField,
  planField,
  requestIdField,
  sessionIdField,
  waitField,
} from '../shared/fields.js';
import { missingRequest } from '../shared/missing-request.js';
import { snapshotOutput } from './snapshot/output.js';
import type { SnapshotRequest } from './snapshot/snapshot.js';
import { defaultWaitMs, watchSession } from './snapshot/watch.js';

export const claudeCodeRespond = defineWaitingTool({
  name: 'claude_code_respond',
  title: 'Answer a request',
  description:
    "Answers one of a session's actions, then waits for the next result or request. For a question: allow with answers.",
  effect: 'destructive',
  input: z.strictObject({
    requestId: requestIdField,
    decision: z.enum(['allow', 'allow_for_session', 'deny']),
    sessionId: sessionIdField.optional(),
    message: z.string().max(20_000).optional().describe('With deny: why. Not with interrupt'),
    interrupt: z.boolean().optional().describe('With deny: stop the turn'),
    updatedInput: z.record(z.string(), z.unknown()).optional().describe('With allow: run this instead'),
    updatedPermissions: z.array(z.record(z.string(), z.unknown())).max(20).optional(),
    answers: answersField.describe('{question text or number: label, text, list or {answer,notes}}'),
    plan: planField.describe('plan_review: approve this instead'),
    nextMode: nextModeField.describe('plan_review: default or acceptEdits'),
    waitMs: waitField,
  }),
  output: snapshotOutput,
  explain: ({ requestId, sessionId }, deps) =>
    requestId === undefined || requestId === '' ? missingRequest(sessionId, deps) : undefined,
  async begin({ requestId, sessionId, waitMs, ...given }, deps, context) {
    return respond({ requestId, sessionId, given, waitMs }, deps, context);
  },
  async rejoin({ waitMs = defaultWaitMs }, { session, cursor }) {
    return watchSession(session, { waitMs, cursor });
  },
});

export interface Answering {
  readonly requestId: string;
  readonly sessionId: string | undefined;
  readonly given: CallerAnswer;
  readonly waitMs: number | undefined;
  /** What to show besides the state. */
  readonly more?: Pick<SnapshotRequest, 'include' | 'maxEvents'>;
}

export async function respond(
  response: Answering,
  deps: ToolDependencies,
  { caller, concerns }: Pick<ToolContext, 'caller' | 'concerns'>,
): Promise<Watch> {
  const { sessions } = deps;
  const { requestId, sessionId, given, waitMs = defaultWaitMs, more } = response;
  const id = sessionId === undefined ? undefined : await namedId(sessionId, deps, { concerns });
  const request = await sessions.openRequest(requestId, id);
  concerns(request.sessionId);
  const session = await sessions.find(parseSessionId(request.sessionId));
  // Read before answering: events may follow before the answer call returns.
  const cursor = seenOf(session, request.requestId);
  await sessions.approvals.answer(session.view, request, given, caller);
  return watchSession(session, { waitMs, cursor, ...more });
}

/** The caller has seen the request. The turn may have ended since, if a background subagent waits for the answer. */
function seenOf({ view: { log } }: Session, requestId: string): number {
  const asked = log.read(0).events.find((event) => isRequest(event, requestId));
  return asked?.seq ?? log.head;
}

function isRequest(event: SessionEvent, requestId: string): boolean {
  return event.type === 'input_request' && event.requestId === requestId;
}
