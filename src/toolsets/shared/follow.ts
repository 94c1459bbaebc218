import type { InputRequest } from '../../core/session/inputs.js';
import type { ToolContext, ToolOutcome } from '../../core/tool-context.js';
import { shrinking } from '../../core/view.js';
import { quoteWords } from '../../inputs/quote.js';
import { waitForNews, type WaitTarget } from '../../sessions/waits.js';
import type { HandlerDependencies } from './define-tool.js';
import { FormRounds } from './form-rounds.js';
import type { News, Watch } from './watch.js';

/**
 * Waits within the operator's limit, then answers, or returns a form for the person behind the client. Progress
 * notifications keep the client from timing out meanwhile.
 */
export async function follow(
  watch: Watch,
  deps: HandlerDependencies,
  context: ToolContext & { readonly beganAt: number },
): Promise<ToolOutcome> {
  const { targets, mode, waitMs, seen, show, asksAtOnce = false } = watch;
  const { caller, progress, signal, returned, beganAt } = context;
  const { approvals, clock } = deps.sessions;
  noteOnly(targets, context);
  const openInputs = (): InputRequest[] => targets.flatMap(({ session }) => session.view.openInputs);
  const mayAsk = waitMs > 0 || asksAtOnce;
  // The person may have missed an earlier form.
  if (returned === undefined && mayAsk) {
    // Calls that do not wait may come every second: a form that the person dismissed must not reappear as often.
    approvals.askAgain(openInputs(), caller, { isPatient: asksAtOnce });
  }
  const rounds = new FormRounds(approvals, context);
  const askable = (): InputRequest | undefined =>
    mayAsk && rounds.isOpen ? openInputs().find((request) => rounds.canAsk(request)) : undefined;
  const startedAt = clock.elapsed();
  // Neither a slow start nor a form round extends the deadline: clients give up on calls that last too long.
  const deadline = returned?.state.deadline ?? beganAt + Math.min(waitMs, deps.maxWaitMs);
  await waitForNews(targets, {
    mode,
    ms: deadline - startedAt,
    signal,
    clock,
    isHandled: (requestId) => approvals.isHandled(requestId),
    isEnough: () => askable() !== undefined,
    reread: ({ id }) => deps.sessions.findToShow(id),
    onTick: progress && (() => void progress(targets.map(progressLine).join(' · '))),
  });
  const isInTime = asksAtOnce || clock.elapsed() < deadline;
  const request = isInTime && !signal.aborted ? askable() : undefined;
  const asked = request && rounds.ask(request, { cursor: seen, deadline });
  if (asked !== undefined) return asked;
  const news: News = {
    waitLimitMs: waitMs > deps.maxWaitMs ? deps.maxWaitMs : undefined,
    rights: approvals.rightsOf(caller),
    words: deps.words,
  };
  return { view: shrinking(show(news)) };
}

/** A call about several sessions is recorded without a session id. */
function noteOnly([only, ...others]: readonly WaitTarget[], { concerns }: ToolContext): void {
  if (only !== undefined && others.length === 0) concerns(only.session.id);
}

function progressLine({ session }: WaitTarget): string {
  const { title } = session.view;
  return `${title === undefined ? session.id.slice(0, 8) : quoteWords(title, 80)}: ${session.describe()}`;
}
