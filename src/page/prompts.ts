import type { SessionView } from '../session/session-view.js';
import type { PlacedPrompt } from './timeline.js';

/** A prompt of an earlier server, as the transcript has it. */
export interface EarlierPrompt {
  readonly at: number;
  readonly text: string;
}

/** Prompts between the same two events have the places 12.001, 12.002 and so on. */
const step = 1_000;

/**
 * The prompts of a session at their places among its events. Those that this server has sent are noted where they were
 * sent; earlier ones are placed by their time.
 */
export function placePrompts(
  { prompts, log }: Pick<SessionView, 'prompts' | 'log'>,
  earlier: readonly EarlierPrompt[],
): readonly PlacedPrompt[] {
  const firstHere = prompts[0]?.at ?? Number.POSITIVE_INFINITY;
  const before = earlier.filter(({ at }) => at < firstHere);
  const events = before.length === 0 ? [] : log.read(0).events;
  const all = [
    ...before.map(({ at, text }) => {
      const next = events.find((event) => event.at >= at);
      const afterSeq = next === undefined ? (events.at(-1)?.seq ?? 0) : next.seq - 1;
      return { afterSeq, at, turn: next?.turn ?? events.at(-1)?.turn ?? 0, text };
    }),
    ...prompts,
  ];
  const counts = new Map<number, number>();
  return all.map(({ afterSeq, at, turn, text }) => {
    const count = (counts.get(afterSeq) ?? 0) + 1;
    counts.set(afterSeq, count);
    return { seq: afterSeq + Math.min(count, step - 1) / step, at, turn, text };
  });
}
