import type { SessionEvent } from '../../core/session/events.js';
import { oneLine } from '../../core/text/escape.js';
import { dollars } from '../../core/text/dollars.js';
import { stopwatch } from '../terminal/amounts.js';
import type { LiveLine } from '../terminal/live-line.js';
import type { Paint } from '../terminal/paint.js';
import { fit } from '../terminal/width.js';
import { eventLine } from './event-line.js';
import type { RecordedSession } from './kept-sessions.js';
import { idChars, statusColors } from './list.js';

/** Where a session is read from. */
export interface WatchSource {
  /** Undefined if it was deleted. */
  read(): Promise<RecordedSession | undefined>;
  /** Resolves when something may have changed. */
  changed(): Promise<void>;
  /** Resolves when events are on disk that happened before the last read: servers write them a moment later. */
  written(): Promise<void>;
}

export interface WatchScreen {
  /** How the person runs another command of this program. */
  readonly command: string;
  readonly paint: Paint;
  /** The width of the terminal. Undefined without one. */
  readonly columns: () => number | undefined;
  readonly line: Pick<LiveLine, 'print' | 'follow' | 'end'>;
}

/** How many events of the past a person sees first. */
const firstEvents = 10;

/** Prints the events of a session until its turn ends. False if the turn failed. */
export async function watchSession(source: WatchSource, screen: WatchScreen): Promise<boolean> {
  const { line } = screen;
  let cursor: number | undefined;
  let isLast = false;
  for (;;) {
    const session = await source.read();
    if (session === undefined) {
      line.print('The session was deleted.');
      return false;
    }
    const { record, events } = session;
    cursor = printNews(events, cursor, screen);
    if (record.status !== 'running' && record.status !== 'waiting') {
      if (!isLast && !hasEnd(session)) {
        isLast = true;
        await source.written();
        continue;
      }
      line.end();
      line.print(endText(session, screen));
      return record.status === 'idle';
    }
    isLast = false;
    line.follow((now, columns) => statusText(session, now, columns, screen));
    await source.changed();
  }
}

function hasEnd({ record: { turn }, events }: RecordedSession): boolean {
  return events.some((event) => event.turn === turn && (event.type === 'result' || event.type === 'error'));
}

function printNews(
  events: readonly SessionEvent[],
  cursor: number | undefined,
  { line, paint, columns }: WatchScreen,
): number {
  const fresh = cursor === undefined ? events.slice(-firstEvents) : events.filter(({ seq }) => seq > cursor);
  for (const event of fresh) {
    const text = eventLine(event, { paint, columns: columns() });
    if (text !== undefined) line.print(text);
  }
  return events.at(-1)?.seq ?? cursor ?? 0;
}

/** `running  2m 05s  $0.12 + ≤$0.03  Bash: npm test`: the cost of finished turns, and a bound for this one. */
function statusText(
  { record, events }: RecordedSession,
  now: number,
  columns: number,
  { command, paint }: WatchScreen,
): string {
  const { status, openTurn, totals, openCostUsd = 0, requests = [] } = record;
  const atMost = openTurn === undefined || openCostUsd === 0 ? '' : ` + ≤${dollars(openCostUsd)}`;
  const [request] = requests;
  const cost = `${dollars(totals.costUsd)}${atMost}`;
  // The request itself is in the line above. What to do comes first, so that a narrow terminal shows it.
  const news =
    request === undefined
      ? [cost, oneLine(activityOf(events), 500)]
      : [`Answer in your client, or: ${command} open`, cost];
  const rest = [...(openTurn === undefined ? [] : [stopwatch(now - openTurn.startedAt)]), ...news].join('  ');
  const place = columns - status.length - 2;
  const color = statusColors[status];
  return place < 1 ? paint(color, fit(status, columns)) : `${paint(color, status)}  ${fit(rest, place)}`;
}

/** What Claude does now: the last tool that has not returned. */
function activityOf(events: readonly SessionEvent[]): string {
  const returned = new Set(
    events.flatMap((event) => (event.type === 'tool_result' ? [event.toolUseId] : [])),
  );
  const last = events.findLast(({ type }) => type === 'tool_use' || type === 'result' || type === 'error');
  return last?.type === 'tool_use' && !returned.has(last.toolUseId) ? last.summary : 'thinking';
}

function endText(
  { record: { sessionId, status, totals } }: RecordedSession,
  { command, paint }: WatchScreen,
): string {
  const shortId = sessionId.slice(0, idChars);
  const next = status === 'cancelled' ? '' : `  Result: ${paint('cyan', `${command} show ${shortId}`)}`;
  return `${paint(statusColors[status], status)}  ${dollars(totals.costUsd)}${next}`;
}
