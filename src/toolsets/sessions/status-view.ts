import { cutMiddle } from '../../core/text/escape.js';
import type { SessionView } from '../../session/session-view.js';
import { seenChars } from '../shared/text-page.js';
import type { News } from '../shared/watch.js';
import { noteOn } from '../shared/wording/hints.js';
import { briefOf } from './brief.js';
import { pendingInputs } from './pending-inputs.js';
import { outputLinesOf, recentOutput, spokenIn } from './recent-output.js';
import { toolUseEvents } from './tool-use-events.js';

export interface StatusRequest extends Pick<News, 'rights' | 'words'> {
  readonly outputLines: number;
  /** Output that the event log does not have. */
  readonly earlierOutput?: string;
}

/** The answer of claude_get_status. The result and open requests come first, and output takes the room that is left. */
export function statusView(
  session: SessionView,
  { rights, words, outputLines, earlierOutput = '' }: StatusRequest,
): (room: number) => Record<string, unknown> {
  const { read } = words;
  const { id, log, totals, lastResult, openInputs } = session;
  const { events } = log.read(0);
  const tools = toolUseEvents(events, session);
  const lines = outputLinesOf([earlierOutput, ...spokenIn(events), session.writing.trimEnd()], outputLines);
  const pendingAt = pendingInputs(openInputs, { rights, read });
  return (room) => {
    const brief = briefOf(session, room);
    const whole = brief.status === 'completed' ? lastResult?.result : undefined;
    const result = whole && cutMiddle(whole, room);
    const pending = pendingAt(room);
    const shownTools = tools.slice(-Math.max(5, Math.floor(room / 60)));
    const output = recentOutput(lines, room - JSON.stringify({ result, pending }).length);
    return {
      ...brief,
      result,
      startedBy: whole === undefined ? undefined : lastResult?.startedBy,
      readMore: whole === result ? undefined : read.result?.(id, seenChars(whole ?? '', result ?? '')),
      note: noteOn(session),
      recentOutput: output.lines,
      readMoreOutput: output.isCut ? read.output?.(id) : undefined,
      ...pending,
      toolUseEvents: shownTools,
      moreToolUseEvents: tools.length - shownTools.length || undefined,
      costUsd: totals.turns === 0 ? undefined : totals.costUsd,
      turnCount: session.modelTurns || undefined,
    };
  };
}
