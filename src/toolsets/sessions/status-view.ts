import { cutMiddle } from '../../core/text/escape.js';
import type { SessionView } from '../../session/session-view.js';
import { seenChars } from '../shared/text-page.js';
import type { News } from '../shared/watch.js';
import { noteOn } from '../shared/wording/hints.js';
import { briefOf } from './brief.js';
import { pendingInputs } from './pending-inputs.js';
import { outputLinesOf, recentOutput, spokenIn } from './recent-output.js';
import { toolUseEvents, type ToolUseEvent } from './tool-use-events.js';

export interface StatusRequest extends Pick<News, 'rights' | 'words'> {
  readonly outputLines: number;
  /** Output that the event log does not have. */
  readonly earlierOutput?: string;
  /** Whether the caller passed a cursor: then no later answer has the lines that this one leaves out. */
  readonly isLater?: boolean;
}

/** The answer of claude_get_status without a cursor. The result and open requests come first, and output takes the room that is left. */
export function statusView(
  session: SessionView,
  { rights, words, outputLines, earlierOutput = '', isLater = false }: StatusRequest,
): (room: number) => Record<string, unknown> {
  const { events, dropped } = session.log.read(0);
  const texts = [earlierOutput, ...spokenIn(events), session.writing.trimEnd()];
  return viewOf(
    session,
    { rights, words },
    {
      texts,
      outputLines,
      tools: toolUseEvents(events, session),
      dropped,
      isMissing: dropped > 0 && earlierOutput === '' && !session.isUnread,
      isLater,
    },
  );
}

/** The same for a caller that has seen everything up to `cursor`: only what is new, and every open request. */
export function laterView(
  session: SessionView,
  {
    rights,
    words,
    outputLines,
    cursor,
  }: Omit<StatusRequest, 'earlierOutput' | 'isLater'> & { readonly cursor: number },
): (room: number) => Record<string, unknown> {
  const { events, dropped } = session.log.read(cursor);
  const tools = toolUseEvents(session.log.read(0).events, session).filter(({ seq }) => seq > cursor);
  const showAt = viewOf(
    session,
    { rights, words },
    { texts: spokenIn(events), outputLines, tools, dropped, isMissing: dropped > 0, isLater: true },
    cursor,
  );
  const isAsked = session.openInputs.length > 0;
  return (room) => {
    const {
      sessionId: _known,
      recentOutput: lines,
      pendingInputs: asked,
      toolUseEvents: used,
      ...rest
    } = showAt(room);
    return {
      ...rest,
      ...(isEmpty(lines) ? {} : { recentOutput: lines }),
      ...(isAsked ? { pendingInputs: asked } : {}),
      ...(isEmpty(used) ? {} : { toolUseEvents: used }),
    };
  };
}

interface Shown {
  readonly texts: readonly string[];
  readonly outputLines: number;
  readonly tools: readonly ToolUseEvent[];
  /** How many events are no longer stored. */
  readonly dropped: number;
  /** Earlier lines are not among the texts. */
  readonly isMissing: boolean;
  readonly isLater: boolean;
}

function viewOf(
  session: SessionView,
  { rights, words }: Pick<News, 'rights' | 'words'>,
  { texts, outputLines, tools, dropped, isMissing, isLater }: Shown,
  cursor = -1,
): (room: number) => Record<string, unknown> {
  const { id, log, totals, lastResult, lastResultSeq, openInputs } = session;
  const { read } = words;
  // Events that arrive before the answer is sent are for the next call.
  const { head } = log;
  const all = outputLinesOf(texts);
  const lines = all.slice(Math.max(0, all.length - outputLines));
  const readOutput = read.output?.(id);
  const isNewsMissing = isLater && outputLines > 0 && lines.length < all.length;
  const readMissing = isNewsMissing || (isMissing && lines.length < outputLines) ? readOutput : undefined;
  const pendingAt = pendingInputs(openInputs, { rights, read });
  return (room) => {
    const brief = briefOf(session, words, room);
    const isShown = brief.status === 'completed' && lastResultSeq > cursor;
    const whole = isShown ? lastResult?.result : undefined;
    const result = whole && cutMiddle(whole, room);
    const pending = pendingAt(room);
    const shownTools = tools.slice(-Math.max(5, Math.min(maxTools, Math.floor(room / 60))));
    const output = recentOutput(lines, room - JSON.stringify({ result, pending }).length);
    return {
      ...brief,
      result,
      startedBy: whole === undefined ? undefined : lastResult?.startedBy,
      readMore: whole === result ? brief.readMore : read.result?.(id, seenChars(whole ?? '', result ?? '')),
      note: noteOn(session),
      recentOutput: output.lines,
      readMoreOutput: output.isCut ? readOutput : readMissing,
      ...pending,
      toolUseEvents: shownTools.map(({ toolName, status }) => ({ toolName, status })),
      moreToolUseEvents: tools.length - shownTools.length || undefined,
      costUsd: totals.turns === 0 ? undefined : totals.costUsd,
      turnCount: session.modelTurns || undefined,
      droppedEvents: dropped || undefined,
      cursor: head,
    };
  };
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

/** More say little about what the session does now. */
const maxTools = 20;
