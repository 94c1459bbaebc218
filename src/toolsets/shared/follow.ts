import type { InputRequest } from '../../core/session/inputs.js';
import type { ReturnedForm, ToolContext, ToolOutcome } from '../../core/tool-context.js';
import { waitForNews, type WaitTarget } from '../../sessions/waits.js';
import type { ToolDependencies } from './define-tool.js';
import type { Watch } from './watch.js';

/** Clients give up after ten; then the caller is told what is open instead. */
const maxRounds = 8;

/**
 * Waits within the operator's limit and tells what there is, or hands over a form for the person behind the client.
 * Progress keeps the client's own limit at bay.
 */
export async function follow(
  watch: Watch,
  deps: ToolDependencies,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { targets, mode, waitMs, seen, tell, asksAtOnce = false } = watch;
  const { caller, progress, signal, returned } = context;
  const { approvals, clock } = deps.sessions;
  noteOnly(targets, context);
  const asks = waitMs > 0 || asksAtOnce;
  // It may be that the person was only away when the form came before.
  if (returned === undefined && asks) {
    approvals.askAgain(
      targets.flatMap(({ session }) => session.openInputs),
      caller,
      // Calls that do not wait may come every second: a person who has put a form away is not to see it as often.
      { isPatient: asksAtOnce },
    );
  }
  const startedAt = clock.now();
  const { round, deadline } = nextRound(returned, startedAt + Math.min(waitMs, deps.maxWaitMs));
  const canAsk = context.canReturnForm && asks && round <= maxRounds;
  const askable = (): InputRequest | undefined =>
    canAsk
      ? targets
          .flatMap(({ session }) => session.openInputs)
          .find((request) => approvals.canHandOver(request, caller))
      : undefined;
  const waitedMs = await waitForNews(targets, {
    mode,
    ms: deadline - startedAt,
    signal,
    clock,
    isHandled: (requestId) => approvals.isHandled(requestId),
    isEnough: () => askable() !== undefined,
    onTick: progress && (() => void progress(targets.map(progressLine).join(' · '))),
  });
  const isInTime = asksAtOnce || clock.now() < deadline;
  const request = isInTime && !signal.aborted ? askable() : undefined;
  const handed = request && approvals.handOver(request, caller);
  if (request !== undefined && handed !== undefined) {
    const { sessionId, requestId } = request;
    const { form, askedAt } = handed;
    return { form, state: { sessionId, requestId, cursor: seen, deadline, round, askedAt } };
  }
  return {
    text: tell({
      waitedMs: waitMs === 0 ? undefined : waitedMs,
      waitLimitMs: waitMs > deps.maxWaitMs ? deps.maxWaitMs : undefined,
      mayApprove: approvals.mayApprove(caller),
    }),
  };
}

/** A call about several sessions is written down as one about none. */
function noteOnly([only, ...others]: readonly WaitTarget[], { concerns }: ToolContext): void {
  if (only !== undefined && others.length === 0) concerns(only.session.id);
}

/** A round does not renew the wait: it ends when the first one would have. */
function nextRound(
  returned: ReturnedForm | undefined,
  deadline: number,
): { readonly round: number; readonly deadline: number } {
  return returned === undefined
    ? { round: 1, deadline }
    : { round: returned.state.round + 1, deadline: returned.state.deadline };
}

function progressLine({ session }: WaitTarget): string {
  return `${session.title ?? session.id.slice(0, 8)}: ${session.describe()}`;
}
