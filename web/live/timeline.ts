import type { TimelineEvent } from '../../src/page/contract.js';
import type { State } from './state.js';

interface Events {
  readonly sessionId: string;
  readonly events: readonly TimelineEvent[];
  readonly dropped: number;
}

export function watch(state: State, sessionId: string | undefined): State {
  if (state.timeline?.sessionId === sessionId) return state;
  return { ...state, timeline: sessionId === undefined ? undefined : { sessionId, events: [], dropped: 0 } };
}

export function withNewer(state: State, { sessionId, events, dropped }: Events): State {
  const { timeline } = state;
  if (timeline?.sessionId !== sessionId) return state;
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

/** Both lists are in order. After a reconnection the server may repeat events. */
function merge(first: readonly TimelineEvent[], second: readonly TimelineEvent[]): readonly TimelineEvent[] {
  const last = first.at(-1)?.seq ?? 0;
  const fresh = second.filter(({ seq }) => seq > last);
  return fresh.length === 0 ? first : [...first, ...fresh];
}
