import { cutMiddle } from '../../core/text/escape.js';
import type { SessionEvent } from '../../core/session/events.js';

/** The texts of Claude itself, without those of its subagents. */
export function spokenIn(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'text' && event.agent === undefined ? [event.text] : []));
}

/** The lines of these texts, oldest first. */
export function outputLinesOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '');
}

/** As many of the last lines as fit into `room` characters, and whether anything is missing. */
export function recentOutput(
  wanted: readonly string[],
  room: number,
): { readonly lines: readonly string[]; readonly isCut: boolean } {
  const shown: string[] = [];
  let left = room;
  let isCut = false;
  for (const line of wanted.toReversed()) {
    const short = cutMiddle(line, Math.max(0, Math.floor(room / 2)));
    left -= short.length + jsonChars;
    if (left < 0) break;
    isCut ||= short !== line;
    shown.unshift(short);
  }
  const hidden = wanted.length - shown.length;
  if (hidden === 0) return { lines: shown, isCut };
  return { lines: [`…[${hidden} lines hidden]…`, ...shown], isCut: true };
}

/** Quotes and a comma, which count much beside short lines. */
const jsonChars = 3;
