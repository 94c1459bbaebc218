import { AppError } from '../../core/errors.js';
import { parseSessionId } from '../../core/ids.js';
import type { ReturnedForm, ToolContext, ToolOutcome } from '../../core/tool-context.js';
import type { Session } from '../../session/session.js';
import type { ToolDependencies } from '../shared/define-tool.js';
import { transcriptHint } from '../shared/wording/hints.js';
import { takeBackForm } from '../shared/form-rounds.js';
import { attend } from './attend.js';
import type { FeedReader } from './message-feed.js';
import type { QueryRun } from './query-run.js';
import { queryView } from './query-view.js';
import { cancelled, startRun, type BegunRun, type QueryRequest } from './start-run.js';

const messageLogger = 'claude-code/messages';

/** Queries by their session, for the calls that come back with the answer of a person. */
const runs = new WeakMap<Session, QueryRun>();

/** Runs a prompt to its end inside one call; or, in the 2026 protocol, until a person is to be asked. */
export async function answerQuery(
  request: QueryRequest,
  deps: ToolDependencies,
  context: ToolContext,
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
  const { end } = attended;
  const hint = transcriptHint(run.session.id, request.settings.vocabulary);
  return { view: run.answer(queryView(run, end, hint)) };
}

/** The same query again: the prompt is not sent a second time, and the numbers of its messages go on. */
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
