import type { ToolContext } from '../../core/tool-context.js';
import type { HandlerDependencies } from './define-tool.js';

/**
 * Starts a session within the wait of the call: `enough` resolves when that is over or the caller has cancelled. A call
 * that does not wait gets none: it answers when Claude Code has started, or why it did not.
 */
export async function withPatience<T>(
  waitMs: number,
  { sessions, maxWaitMs }: HandlerDependencies,
  { signal }: ToolContext,
  start: (enough: Promise<unknown> | undefined) => Promise<T>,
): Promise<T> {
  if (waitMs === 0) return start(undefined);
  let end = (): void => undefined;
  const enough = new Promise<void>((resolve) => (end = resolve));
  const stopTimer = sessions.clock.after(Math.min(waitMs, maxWaitMs), end);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await start(enough);
  } finally {
    stopTimer();
    signal.removeEventListener('abort', end);
  }
}
