import type { ToolContext } from '../../core/tool-context.js';
import { waitForNews, type WaitTarget } from '../../session/waits.js';
import type { ToolDependencies } from '../define-tool.js';

export interface Waited {
  /** Undefined when nobody asked to wait. */
  readonly waitedMs: number | undefined;
  /** Set when the caller asked for more than the operator grants. */
  readonly waitLimitMs: number | undefined;
}

export interface WaitRequest {
  readonly targets: readonly WaitTarget[];
  readonly mode: 'any' | 'all';
  readonly waitMs: number;
}

/** Waits within the operator's limit, and keeps the client's own limit at bay with progress. */
export async function waitWithin(
  request: WaitRequest,
  deps: ToolDependencies,
  context: ToolContext,
): Promise<Waited> {
  const { targets, mode, waitMs } = request;
  if (waitMs === 0) return { waitedMs: undefined, waitLimitMs: undefined };
  const { progress } = context;
  const waitedMs = await waitForNews(targets, {
    mode,
    ms: Math.min(waitMs, deps.maxWaitMs),
    signal: context.signal,
    clock: deps.sessions.clock,
    onTick: progress && (() => progress(targets.map(progressLine).join(' · '))),
  });
  return { waitedMs, waitLimitMs: waitMs > deps.maxWaitMs ? deps.maxWaitMs : undefined };
}

function progressLine({ session }: WaitTarget): string {
  return `${session.options.title ?? session.id.slice(0, 8)}: ${session.describe()}`;
}
