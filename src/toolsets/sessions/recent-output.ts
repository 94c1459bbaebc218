import { cutMiddle } from '../../core/text/escape.js';
import type { SessionEvent } from '../../core/session/events.js';

/**
 * The last lines of text from Claude itself, oldest first, with at most `room` characters in total. `writing` is the
 * text that Claude has not finished yet.
 */
export function recentOutput(
  events: readonly SessionEvent[],
  writing: string,
  maxLines: number,
  room: number,
): readonly string[] {
  const lines = events
    .flatMap((event) => (event.type === 'text' && event.agent === undefined ? event.text.split('\n') : []))
    .concat(writing.trimEnd().split('\n'))
    .filter((line) => line.trim() !== '');
  const wanted = lines.slice(Math.max(0, lines.length - maxLines));
  const shown: string[] = [];
  let left = room;
  for (const line of wanted.toReversed()) {
    const short = cutMiddle(line, Math.floor(room / 2));
    left -= short.length;
    if (left < 0) break;
    shown.unshift(short);
  }
  const hidden = wanted.length - shown.length;
  return hidden === 0 ? shown : [`…[${hidden} lines hidden]…`, ...shown];
}
