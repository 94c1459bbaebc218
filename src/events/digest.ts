import type { SessionEvent } from '../core/session/events.js';
import { cutMiddle } from '../core/text/escape.js';

/** One event as a caller reads it: short, without what can be derived. */
export type DigestedEvent = Readonly<Record<string, string | number | boolean>>;

const maxTextChars = 400;

/** Shortens events to about `maxChars` in all: the longer the list, the less of each text. */
export function digestEvents(events: readonly SessionEvent[], maxChars: number): DigestedEvent[] {
  const share = Math.max(20, Math.min(maxTextChars, Math.floor(maxChars / Math.max(1, events.length)) - 60));
  return events.map((event) => digestEvent(event, share));
}

function digestEvent({ at: _at, turn: _turn, ...event }: SessionEvent, textChars: number): DigestedEvent {
  const short = Object.entries(event).filter(([key]) => key !== 'toolUseId');
  return Object.fromEntries(
    short.map(([key, value]) => [key, typeof value === 'string' ? cutMiddle(value, textChars) : value]),
  );
}

/** No client shows more than this whole (the smallest cuts at 8,000). */
export const maxResultChars = 7_500;

const steps = [6_000, 4_500, 3_000, 2_000, 1_200, 600, 300, 150, 60, 0] as const;

/**
 * The largest rendering that fits. `render` gets the room its variable texts may take; JSON escaping can make
 * them up to six times longer, so the only honest measure is the text that leaves.
 */
export function fitText(render: (room: number) => unknown, maxChars: number = maxResultChars): string {
  let text = '';
  for (const room of steps) {
    text = JSON.stringify(render(room));
    if (text.length <= maxChars) return text;
  }
  return text;
}
