import type { InputRequest } from '../../core/session/inputs.js';
import type { ReturnedForm, ToolContext, ToolOutcome } from '../../core/tool-context.js';
import { summarizeToolUse } from '../../core/text/tool-summary.js';
import type { ToolDependencies } from '../shared/define-tool.js';
import { withHeartbeat } from '../shared/heartbeat.js';
import type { FeedReader } from './message-feed.js';
import type { QueryEnd, QueryRun } from './query-run.js';

/** Clients give up after ten. */
const maxRounds = 8;

/** Why this call ends: the query has, a person is to be asked, or the caller has gone. */
export type Attended =
  | { readonly end: QueryEnd }
  | { readonly handed: Extract<ToolOutcome, { readonly form: unknown }> }
  | 'cancelled';

/** Stays with a query while it runs: sends what Claude says, and sees to what it asks. */
export async function attend(
  run: QueryRun,
  reader: FeedReader,
  deps: ToolDependencies,
  context: ToolContext,
): Promise<Attended> {
  const { progress, signal } = context;
  const attended = await withHeartbeat(
    untilNeeded(run, deps, context),
    deps.sessions.clock,
    progress && (() => void progress(run.session.describe())),
  );
  // What Claude said comes before what the call answers.
  if (attended !== 'cancelled') await Promise.race([run.feed.flush(), aborted(signal)]);
  run.feed.detach(reader);
  return attended;
}

function untilNeeded(run: QueryRun, deps: ToolDependencies, context: ToolContext): Promise<Attended> {
  const { signal } = context;
  return new Promise((resolve) => {
    let isDone = false;
    const look = (): void => {
      // One look may be on its way while another has found something: a form that was handed over is not denied.
      if (isDone) return;
      const found = whatNow(run, deps, context);
      if (found === undefined) return;
      isDone = true;
      unsubscribe();
      signal.removeEventListener('abort', look);
      resolve(found);
    };
    // Not in the middle of an event: whoever listens after us must hear the question before its answer.
    const unsubscribe = run.session.subscribe(() => queueMicrotask(look));
    signal.addEventListener('abort', look, { once: true });
    look();
  });
}

function whatNow(run: QueryRun, deps: ToolDependencies, context: ToolContext): Attended | undefined {
  // First: what is over cannot be cancelled any more, and its session may be at work for somebody else.
  if (run.end !== undefined) return { end: run.end };
  if (context.signal.aborted) return 'cancelled';
  const { approvals } = deps.sessions;
  for (const request of run.session.openInputs) {
    const handed = handOver(request, deps, context);
    if (handed !== undefined) return { handed };
    if (!approvals.isHandled(request.requestId)) deny(run, request, deps, context);
  }
  return undefined;
}

/** The form for the person behind this caller, where it can be returned and they have not had it. */
function handOver(
  request: InputRequest,
  { sessions: { approvals } }: ToolDependencies,
  { caller, canReturnForm, returned }: ToolContext,
): Extract<ToolOutcome, { readonly form: unknown }> | undefined {
  const round = roundAfter(returned);
  if (!canReturnForm || round > maxRounds || !approvals.canHandOver(request, caller)) return undefined;
  const handed = approvals.handOver(request, caller);
  if (handed === undefined) return undefined;
  const { sessionId, requestId } = request;
  const { form, askedAt } = handed;
  // Cursor and deadline are for calls that wait; a query knows its own.
  return { form, state: { sessionId, requestId, cursor: 0, deadline: 0, round, askedAt } };
}

/** A query never waits for somebody who is not there. */
function deny(
  run: QueryRun,
  { requestId, shown }: InputRequest,
  { sessions: { approvals } }: ToolDependencies,
  context: ToolContext,
): void {
  const why = whyNobody(context);
  run.denied.push(`${summarizeToolUse(shown.toolName, shown.input)}: ${why}`);
  approvals.broker.refuse(
    requestId,
    `This was not done, because ${why}. No person has refused it. Go on without it, or say what you would need.`,
  );
}

function whyNobody({ caller, canReturnForm, returned }: ToolContext): string {
  if (!caller.canAskPerson)
    return 'nobody can be asked: the client of this query shows no forms, and no other approver is connected';
  return canReturnForm && roundAfter(returned) > maxRounds
    ? `the person has been asked ${maxRounds} times in this query, which is all a client can do`
    : 'nobody answered the form for it, or the answer could not be taken';
}

function roundAfter(returned: ReturnedForm | undefined): number {
  return (returned?.state.round ?? 0) + 1;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
