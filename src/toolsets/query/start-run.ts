import type { Clock } from '../../core/clock.js';
import { AppError } from '../../core/errors.js';
import type { SessionId } from '../../core/ids.js';
import type { RequestedOptions } from '../../core/options/index.js';
import type { ToolContext } from '../../core/tool-context.js';
import type { Session } from '../../session/session.js';
import type { ToolDependencies } from '../shared/define-tool.js';
import { MessageFeed, type FeedReader } from './message-feed.js';
import { QueryRun, type QueryRunSettings } from './query-run.js';

export interface QueryRequest {
  readonly prompt: string;
  /** Paths of files that go with it. */
  readonly attachments?: readonly string[] | undefined;
  readonly options: RequestedOptions;
  /** The session that it continues. Undefined: a new one. */
  readonly continues?: SessionId;
  readonly settings: QueryRunSettings;
}

/** A started query and the call that receives its messages. */
export interface BegunRun {
  readonly run: QueryRun;
  readonly reader: FeedReader;
}

/** Longest pause before each retry. Half of it is random, so that many callers do not retry at once. */
const pausesMs = [500, 1_000, 2_000] as const;

/**
 * Starts the session of a query. It retries only a start that failed for lack of processes, because nothing has run
 * then. Claude Code retries API errors itself.
 */
export async function startRun(
  request: QueryRequest,
  readerOf: (session: Session) => FeedReader,
  deps: ToolDependencies,
  context: ToolContext,
): Promise<BegunRun> {
  const { clock } = request.settings;
  const feed = new MessageFeed();
  const start = (): Promise<BegunRun> => startOnce(request, feed, readerOf, { ...deps, ...context });
  for (const [index, longestMs] of pausesMs.entries()) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof AppError && error.isTransient) || context.signal.aborted) throw error;
      const pauseMs = Math.round(longestMs * (0.5 + Math.random() / 2));
      tellRetry(feed, clock, { attempt: index + 1, pauseMs, reason: error.message });
      await pause(pauseMs, clock, context.signal);
    }
  }
  return start();
}

async function startOnce(
  { prompt, attachments, options, settings, continues }: QueryRequest,
  feed: MessageFeed,
  readerOf: (session: Session) => FeedReader,
  { sessions, caller, signal, concerns }: ToolDependencies & ToolContext,
): Promise<BegunRun> {
  let begun: BegunRun | undefined;
  let halted: Promise<void> | undefined;
  const stop = (): void => {
    halted = begun?.run.session.halt().catch(() => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    const follow = (session: Session): void => {
      concerns(session.id);
      const reader = readerOf(session);
      feed.attach(reader);
      begun = { run: new QueryRun(session, feed, settings), reader };
    };
    const prepare = (session: Session): void => {
      if (signal.aborted) throw cancelled();
      follow(session);
    };
    if (continues === undefined)
      await sessions.start({ text: prompt, attachments }, options, caller, { prepare });
    else follow(await sessions.reply(continues, prompt, { forkSession: false, whenBusy: 'reject' }, caller));
    if (begun === undefined) throw new Error('a session was started without being prepared');
    if (signal.aborted) {
      // A reply had begun its turn before there was a run to stop. Otherwise not halted again: another caller may have
      // continued the session by now.
      await (halted ?? begun.run.session.halt());
      throw cancelled();
    }
    begun.run.begin();
    return begun;
  } catch (error) {
    begun?.run.leave();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export function cancelled(): AppError {
  return new AppError('call_cancelled');
}

/** Uses the same message format as Claude Code's own retries. */
function tellRetry(
  feed: MessageFeed,
  clock: Clock,
  {
    attempt,
    pauseMs,
    reason,
  }: { readonly attempt: number; readonly pauseMs: number; readonly reason: string },
): void {
  const at = clock.now();
  const message = {
    type: 'system',
    subtype: 'start_retry',
    attempt,
    max_retries: pausesMs.length,
    retry_delay_ms: pauseMs,
    error: reason,
  };
  feed.add({ kind: 'message', level: 'info', message, at, chars: JSON.stringify(message).length });
  feed.add({ kind: 'line', text: `${reason}: retry ${attempt} of ${pausesMs.length} in ${pauseMs} ms`, at });
}

/** Ends early if the caller cancels. */
function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stopTimer();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stopTimer = clock.after(ms, end);
    signal.addEventListener('abort', end, { once: true });
  });
}
