import type { ToolContext } from '../../core/tool-context.js';
import type { HandlerDependencies } from './define-tool.js';

/**
 * Starts a session within the wait of the call: `enough` resolves when that is over or the caller has cancelled. A call
 * that does not wait answers when Claude Code has started, or why it did not, but no later than its client allows.
 */
export async function withPatience<T>(
  waitMs: number,
  { sessions, maxWaitMs }: HandlerDependencies,
  { signal }: ToolContext,
  start: (enough: Promise<unknown>) => Promise<T>,
): Promise<T> {
  let end = (): void => undefined;
  const enough = new Promise<void>((resolve) => (end = resolve));
  const stopTimer = sessions.clock.after(Math.min(waitMs || maxWaitMs, maxWaitMs), end);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await start(enough);
  } finally {
    stopTimer();
    signal.removeEventListener('abort', end);
  }
}
