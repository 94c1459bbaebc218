import type { SessionEvent } from '../core/session/events.js';
import { cutMiddle } from '../core/text/escape.js';

/** A shortened event for callers, without fields that they can derive. */
export type DigestedEvent = Readonly<Record<string, string | number | boolean>>;

const maxTextChars = 400;

/** Ids that callers cannot use, and what the summary says too. */
const leftOut: ReadonlySet<string> = new Set(['toolUseId', 'file']);

/** Shortens events to about `maxChars` in total: the longer the list, the shorter each text. */
export function digestEvents(events: readonly SessionEvent[], maxChars: number): DigestedEvent[] {
  const share = Math.max(20, Math.min(maxTextChars, Math.floor(maxChars / Math.max(1, events.length)) - 60));
  return events.map((event) => digestEvent(event, share));
}

function digestEvent({ at: _at, turn: _turn, ...event }: SessionEvent, textChars: number): DigestedEvent {
  const short = Object.entries(event).filter(([key]) => !leftOut.has(key));
  return Object.fromEntries(
    short.map(([key, value]) => [key, typeof value === 'string' ? cutMiddle(value, textChars) : value]),
  );
}
