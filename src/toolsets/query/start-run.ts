import type { Clock } from '../../core/clock.js';
import { AppError } from '../../core/errors.js';
import type { RequestedOptions } from '../../core/options/index.js';
import type { ToolContext } from '../../core/tool-context.js';
import type { ToolDependencies } from '../define-tool.js';
import type { FeedReader } from './message-feed.js';
import { QueryRun, type QueryRunSettings } from './query-run.js';

export interface QueryRequest {
  readonly prompt: string;
  readonly options: RequestedOptions;
  readonly settings: QueryRunSettings;
}

/** Before each further try; half to all of it, so that many callers do not come back together. */
const pausesMs = [500, 1_000, 2_000] as const;

/**
 * Starts the session of a query. What Claude Code tries again itself is not tried again here: only its start, when the
 * system had no process to spare. Nothing has run then.
 */
export async function startRun(
  request: QueryRequest,
  readerOf: (run: QueryRun) => FeedReader,
  deps: ToolDependencies,
  context: ToolContext,
): Promise<{ readonly run: QueryRun; readonly reader: FeedReader }> {
  for (const [attempt, pauseMs] of pausesMs.entries()) {
    try {
      return await startOnce(request, readerOf, deps, context);
    } catch (error) {
      if (!(error instanceof AppError && error.isTransient) || context.signal.aborted) throw error;
      const ms = Math.round(pauseMs * (0.5 + Math.random() / 2));
      await context.progress?.(`${error.message}: try ${attempt + 2} of ${pausesMs.length + 1} in ${ms} ms`);
      await pause(ms, deps.sessions.clock, context.signal);
    }
  }
  return startOnce(request, readerOf, deps, context);
}

async function startOnce(
  { prompt, options, settings }: QueryRequest,
  readerOf: (run: QueryRun) => FeedReader,
  { sessions }: ToolDependencies,
  { caller, signal }: ToolContext,
): Promise<{ readonly run: QueryRun; readonly reader: FeedReader }> {
  let begun: { readonly run: QueryRun; readonly reader: FeedReader } | undefined;
  const stop = (): void => void begun?.run.session.halt();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await sessions.start(prompt, options, caller, (session) => {
      if (signal.aborted) throw new AppError('CANCELLED', 'the call was cancelled');
      const run = new QueryRun(session, settings);
      const reader = readerOf(run);
      run.feed.attach(reader);
      begun = { run, reader };
    });
    if (begun === undefined) throw new Error('a session was started without being prepared');
    begun.run.begin();
    return begun;
  } catch (error) {
    begun?.run.leave();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Ends early when nobody wants the query any more. */
function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stopTimer = clock.after(ms, resolve);
    signal.addEventListener('abort', () => (stopTimer(), resolve()), { once: true });
  });
}
