import { cutMiddle } from '../../core/text/escape.js';
import type { SessionView } from '../../session/session-view.js';
import { briefOf } from './brief.js';
import { pendingInputs } from './pending-inputs.js';
import { recentOutput } from './recent-output.js';
import { toolUseEvents } from './tool-use-events.js';

export interface StatusRequest {
  readonly outputLines: number;
  /** Whether the caller may approve, or only deny. */
  readonly mayApprove: boolean;
}

/** The answer of claude_get_status. Each variable text has at most `room` characters. */
export function statusView(
  session: SessionView,
  { outputLines, mayApprove }: StatusRequest,
  room: number,
): Record<string, unknown> {
  const { log, totals, lastResult, openInputs } = session;
  const { events } = log.read(0);
  const brief = briefOf(session, room);
  const tools = toolUseEvents(events, session);
  const shownTools = tools.slice(-Math.max(5, Math.floor(room / 60)));
  const result = brief.status === 'completed' && lastResult ? cutMiddle(lastResult.result, room) : undefined;
  const pending = pendingInputs(openInputs, mayApprove, room);
  // Open requests and the result take precedence over earlier output.
  const left = room - JSON.stringify({ result, pending }).length;
  return {
    ...brief,
    result,
    recentOutput: recentOutput(events, session.writing, outputLines, Math.max(Math.floor(room / 3), left)),
    ...pending,
    toolUseEvents: shownTools,
    moreToolUseEvents: tools.length - shownTools.length || undefined,
    costUsd: totals.turns === 0 ? undefined : totals.costUsd,
    turnCount: session.modelTurns || undefined,
  };
}
