import type { Caller } from '../../core/caller.js';
import type { InputRequest } from '../../core/session/inputs.js';
import type { FormOutcome, ToolContext } from '../../core/tool-context.js';
import { summaryOf } from '../../inputs/present.js';
import type { Approvals } from '../../sessions/approvals.js';
import type { ToolDependencies } from '../shared/define-tool.js';
import { FormRounds, maxRounds } from '../shared/form-rounds.js';
import { withHeartbeat } from '../shared/heartbeat.js';
import type { FeedReader } from './message-feed.js';
import type { QueryEnd, QueryRun } from './query-run.js';

/** Why this call ends: the query ended, a person must answer, or the caller cancelled. */
export type Attended = { readonly end: QueryEnd } | FormOutcome | 'cancelled';

/** Follows a running query: forwards messages and handles requests. */
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
  // Messages must reach the client before the result of the call.
  if (attended !== 'cancelled') await Promise.race([run.feed.flush(), aborted(signal)]);
  run.feed.detach(reader);
  return attended;
}

function untilNeeded(run: QueryRun, deps: ToolDependencies, context: ToolContext): Promise<Attended> {
  const { signal } = context;
  const rounds = new FormRounds(deps.sessions.approvals, context);
  return new Promise((resolve) => {
    let isDone = false;
    const look = (): void => {
      // Several checks can be queued. One that runs after a form was handed over would deny its request.
      if (isDone) return;
      const found = whatNow(run, rounds, deps, context);
      if (found === undefined) return;
      isDone = true;
      unsubscribe();
      signal.removeEventListener('abort', look);
      resolve(found);
    };
    // Deferred, so that other listeners see the request before its answer.
    const unsubscribe = run.session.subscribe(() => queueMicrotask(look));
    signal.addEventListener('abort', look, { once: true });
    look();
  });
}

function whatNow(
  run: QueryRun,
  rounds: FormRounds,
  { sessions: { approvals } }: ToolDependencies,
  { caller, signal }: ToolContext,
): Attended | undefined {
  // First, because an ended query cannot be cancelled, and its session may already serve another caller.
  if (run.end !== undefined) return { end: run.end };
  if (signal.aborted) return 'cancelled';
  for (const request of run.session.view.openInputs) {
    // Cursor and deadline matter only to waiting calls; a query has its own limit.
    const asked = rounds.ask(request, { cursor: 0, deadline: 0 });
    if (asked !== undefined) return asked;
    if (!approvals.isHandled(request.requestId))
      deny(run, request, whyNobody(rounds, caller, approvals), approvals);
  }
  return undefined;
}

/** Denies at once: a query does not wait for an approver to connect. */
function deny(run: QueryRun, { requestId, shown }: InputRequest, why: string, { broker }: Approvals): void {
  run.denied.push(`${summaryOf(shown)} (${why})`);
  broker.refuse(
    requestId,
    `This was not done, because ${why}. No person denied it. Continue without it, or say what you need.`,
  );
}

function whyNobody({ isExhausted }: FormRounds, caller: Caller, approvals: Approvals): string {
  if (!caller.canAskPerson) return 'nobody can be asked: the client cannot show forms';
  if (isExhausted) return `this query has already asked the person ${maxRounds} times, which is the limit`;
  return approvals.isUnattended(caller)
    ? 'nobody can be asked: the client dismisses forms by itself'
    : 'nobody answered the form, or the answer was invalid';
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
