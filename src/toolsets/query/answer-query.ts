import { AppError } from '../../core/errors.js';
import { parseSessionId } from '../../core/ids.js';
import type { ReturnedForm, ToolContext, ToolOutcome } from '../../core/tool-context.js';
import type { View } from '../../core/view.js';
import type { Session } from '../../session/session.js';
import type { ToolDependencies } from '../shared/define-tool.js';
import { takeBackForm } from '../shared/form-rounds.js';
import { attend } from './attend.js';
import type { FeedReader } from './message-feed.js';
import type { QueryEnd, QueryRun } from './query-run.js';
import { queryView } from './query-view.js';
import { cancelled, startRun, type BegunRun, type QueryRequest } from './start-run.js';

const messageLogger = 'claude-code/messages';

/** Queries by session, for calls that return with a person's reply. */
const runs = new WeakMap<Session, QueryRun>();

/** Runs a prompt to its end within one call. In the 2026 protocol, a request for a person ends the call early. */
export async function answerQuery(
  request: QueryRequest,
  deps: ToolDependencies,
  context: ToolContext,
  show = (run: QueryRun, end: QueryEnd): View => queryView(run, end, request.settings.vocabulary),
): Promise<ToolOutcome> {
  const { run, reader } =
    context.returned === undefined
      ? await startRun(request, (session) => readerOf(session, context), deps, context)
      : await rejoin(context.returned, deps, context);
  runs.set(run.session, run);
  const attended = await attend(run, reader, deps, context);
  if (attended === 'cancelled') {
    await run.session.halt();
    run.messages.forget();
    throw cancelled();
  }
  if ('form' in attended) return attended;
  return { view: run.answer(show(run, attended.end)) };
}

/** Continues a query after a form. The prompt is not sent again, and message numbers continue. */
async function rejoin(
  returned: ReturnedForm,
  { sessions }: ToolDependencies,
  context: ToolContext,
): Promise<BegunRun> {
  const { sessionId } = returned.state;
  context.concerns(sessionId);
  takeBackForm(returned, sessions.approvals, context.caller);
  const run = runs.get(await sessions.find(parseSessionId(sessionId)));
  if (run === undefined) {
    throw new AppError('query_over');
  }
  const reader = readerOf(run.session, context);
  run.feed.attach(reader);
  return { run, reader };
}

function readerOf({ id }: Session, { log, progress }: ToolContext): FeedReader {
  return {
    message:
      log &&
      (({ level, message, at, sequence }) =>
        log({
          level,
          logger: messageLogger,
          data: {
            type: 'claude_code_message',
            sessionId: id,
            message,
            timestamp: new Date(at).toISOString(),
            sequence,
          },
        })),
    line: progress,
  };
}
