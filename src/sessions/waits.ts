import type { Clock } from '../core/clock.js';
import { isPinned, type SessionEvent } from '../core/session/events.js';
import type { Session } from '../session/session.js';

export interface WaitTarget {
  /** Replaced by a newer reading of its record while another server runs it. */
  session: Session;
  /** With a cursor, only later news ends the wait; without one, the current state can end it. */
  readonly cursor: number | undefined;
}

export interface WaitOptions {
  readonly mode: 'any' | 'all';
  readonly ms: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Whether a person handles the request or has settled it: then it is not news, and the session counts as running. */
  readonly isHandled: (requestId: string) => boolean;
  /** Ends the wait early. */
  readonly isEnough: () => boolean;
  /** Reads a session again that another server runs: it sends no events to this one. */
  readonly reread?: ((session: Session) => Promise<Session>) | undefined;
  /** Called every few seconds while waiting. */
  readonly onTick?: (() => void) | undefined;
}

const tickMs = 5_000;
/** How often the records of sessions that run elsewhere are read. */
const rereadMs = 1_000;

/** Waits for news, for at most `ms`. */
export async function waitForNews(targets: readonly WaitTarget[], options: WaitOptions): Promise<void> {
  const { ms, signal, clock, onTick } = options;
  if (ms <= 0 || signal.aborted || isOver(targets, options)) return;
  await new Promise<void>((resolve) => {
    const tick = (): void => {
      onTick?.();
      stopTick = clock.after(tickMs, tick);
    };
    const finish = (): void => {
      stopRereading();
      stopTick();
      stopTimer();
      signal.removeEventListener('abort', finish);
      for (const unsubscribe of unsubscribes) unsubscribe();
      resolve();
    };
    let stopTick = onTick === undefined ? (): void => undefined : clock.after(tickMs, tick);
    const stopTimer = clock.after(ms, finish);
    signal.addEventListener('abort', finish, { once: true });
    const look = (): void => {
      if (isOver(targets, options)) finish();
    };
    const unsubscribes = targets.map(({ session }) => session.subscribe(look));
    const stopRereading = rereadWhileElsewhere(targets, options, look);
  });
}

/** Returns how to stop it. */
function rereadWhileElsewhere(
  targets: readonly WaitTarget[],
  { clock, reread }: WaitOptions,
  onRead: () => void,
): () => void {
  let isStopped = false;
  let stopTimer = (): void => undefined;
  const schedule = (): void => {
    const elsewhere = targets.filter(({ session }) => session.view.elsewhere !== undefined);
    if (isStopped || reread === undefined || elsewhere.length === 0) return;
    stopTimer = clock.after(rereadMs, () => {
      const reading = elsewhere.map(async (target) => {
        target.session = await reread(target.session);
      });
      void Promise.allSettled(reading).then(() => {
        if (!isStopped) onRead();
        schedule();
      });
    });
  };
  schedule();
  return () => {
    isStopped = true;
    stopTimer();
  };
}

function isOver(targets: readonly WaitTarget[], options: WaitOptions): boolean {
  const { mode, isHandled, isEnough } = options;
  if (isEnough()) return true;
  if (mode === 'all') return targets.every(({ session }) => !isGoingOn(session, isHandled));
  return (
    targets.some((target) => hasNews(target, isHandled)) ||
    targets.every(({ session }) => session.view.isAtRest)
  );
}

function hasNews({ session, cursor }: WaitTarget, isHandled: WaitOptions['isHandled']): boolean {
  const { elsewhere, state } = session.view;
  // Its events may be on disk before its record: only together do they say how the turn ended.
  const isRunningElsewhere = elsewhere !== undefined && state.status === 'running';
  if (cursor === undefined || isRunningElsewhere) return !isGoingOn(session, isHandled);
  // Checks for a pinned event first, because reading the log is slower.
  return (
    session.view.log.hasNewsAfter(cursor) && session.view.log.read(cursor).events.some(isNews(isHandled))
  );
}

/** The session runs, or waits only for people who are already being asked. */
function isGoingOn({ view }: Session, isHandled: WaitOptions['isHandled']): boolean {
  if (view.state.status === 'running') return true;
  // Its requests are not open here, so nobody who is asked here can answer them.
  if (view.elsewhere !== undefined) return false;
  return view.state.status === 'waiting' && view.openInputs.every(({ requestId }) => isHandled(requestId));
}

function isNews(isHandled: WaitOptions['isHandled']): (event: SessionEvent) => boolean {
  return (event) => isPinned(event) && !('requestId' in event && isHandled(event.requestId));
}
