import type { TimelineEvent } from '../../src/page/contract.js';
import type { State } from './state.js';

interface Events {
  readonly sessionId: string;
  readonly events: readonly TimelineEvent[];
  readonly dropped: number;
  readonly isReset?: true;
}

export function watch(state: State, sessionId: string | undefined): State {
  if (state.timeline?.sessionId === sessionId) return state;
  return { ...state, timeline: sessionId === undefined ? undefined : { sessionId, events: [], dropped: 0 } };
}

export function withNewer(state: State, { sessionId, events, dropped, isReset }: Events): State {
  const { timeline } = state;
  if (timeline?.sessionId !== sessionId) return state;
  if (isReset === true) return { ...state, timeline: { sessionId, events, dropped } };
  return {
    ...state,
    timeline: { sessionId, events: merge(timeline.events, events), dropped: timeline.dropped + dropped },
  };
}

export function withOlder(state: State, { sessionId, events, dropped }: Events): State {
  const { timeline } = state;
  if (timeline?.sessionId !== sessionId) return state;
  return { ...state, timeline: { sessionId, events: merge(events, timeline.events), dropped } };
}

/** Both lists are in order. The server may repeat events, and a prompt may come later than the event after it. */
function merge(first: readonly TimelineEvent[], second: readonly TimelineEvent[]): readonly TimelineEvent[] {
  const last = first.at(-1)?.seq ?? -1;
  if ((second[0]?.seq ?? Infinity) > last) return second.length === 0 ? first : [...first, ...second];
  const known = new Set(first.map(({ seq }) => seq));
  const fresh = second.filter(({ seq }) => !known.has(seq));
  return fresh.length === 0 ? first : [...first, ...fresh].toSorted((one, other) => one.seq - other.seq);
}
