import { describe, expect, it } from 'vitest';
import type { StreamMessage, TimelineEvent } from '../../../src/page/contract.js';
import { reduce } from '../../../web/live/reduce.js';
import { initialState, type State } from '../../../web/live/state.js';
import { commandCard, editCard } from '../samples.js';

const at = 1_000_000;

function after(messages: readonly StreamMessage[], state: State = initialState): State {
  return messages.reduce((last, message) => reduce(last, { type: 'message', message, at }), state);
}

function event(seq: number): TimelineEvent {
  return { seq, at, turn: 1, body: { type: 'text', text: String(seq) } };
}

const settlement = {
  requestId: 'r-command',
  sessionId: 's-shop',
  decision: 'allow',
  by: 'caller',
  at,
} as const;

describe('requests', () => {
  it('keep their place when the server repeats them, and the settled one stays', () => {
    const state = after([
      { type: 'inbox', cards: [commandCard(), editCard()], settled: [] },
      { type: 'settled', settlement },
      { type: 'inbox', cards: [commandCard({ requestId: 'r-new' }), editCard()], settled: [] },
    ]);

    expect(state.requests.map(({ card, phase }) => [card.requestId, phase])).toEqual([
      ['r-command', 'settled'],
      ['r-edit', 'open'],
      ['r-new', 'open'],
    ]);
  });

  it('that vanish while the page is disconnected are gone, without an answerer', () => {
    const state = after([
      { type: 'inbox', cards: [commandCard()], settled: [] },
      { type: 'inbox', cards: [], settled: [] },
    ]);

    expect(state.requests.map(({ phase, settlement: by }) => [phase, by])).toEqual([['gone', undefined]]);
  });

  it('that were answered while the page is disconnected name who was first', () => {
    const state = after([
      { type: 'inbox', cards: [commandCard()], settled: [] },
      { type: 'inbox', cards: [], settled: [settlement] },
    ]);

    expect(state.requests).toEqual([{ card: commandCard(), phase: 'settled', settlement }]);
  });

  it('are open again after a failed answer', () => {
    const asked = after([{ type: 'inbox', cards: [commandCard()], settled: [] }]);
    const sent = reduce(asked, { type: 'sent', answer: { requestId: 'r-command', decision: 'allow' } });
    const error = { reason: 'unreachable', message: 'The server cannot be reached.' };
    const failed = reduce(sent, { type: 'failed', requestId: 'r-command', error });

    expect([sent, failed].map(({ requests }) => requests[0]?.phase)).toEqual(['sent', 'open']);
    expect(failed.requests[0]?.error).toEqual(error);
  });
});

describe('the timeline', () => {
  const watching = reduce(initialState, { type: 'watch', sessionId: 's' });
  const events = (seqs: readonly number[], isReset?: true): StreamMessage => ({
    type: 'events',
    sessionId: 's',
    events: seqs.map(event),
    dropped: 0,
    ...(isReset && { isReset }),
  });

  it.each([
    ['repeated events once', [events([1, 2]), events([2, 3])], [1, 2, 3]],
    ['a late prompt in its place', [events([1, 2]), events([1.001])], [1, 1.001, 2]],
    ['only the new events after a reset', [events([7, 8]), events([1, 2], true)], [1, 2]],
  ])('shows %s', (_, messages, seqs) => {
    expect(after(messages, watching).timeline?.events.map(({ seq }) => seq)).toEqual(seqs);
  });

  it('puts older events before the others', () => {
    const state = reduce(after([events([5, 6])], watching), {
      type: 'older',
      sessionId: 's',
      events: [3, 4, 5].map(event),
      dropped: 2,
    });

    expect(state.timeline).toEqual({ sessionId: 's', events: [3, 4, 5, 6].map(event), dropped: 2 });
  });
});

describe('a silent connection', () => {
  it('is stale after 15 seconds, with the time of the last message', () => {
    const live = after([{ type: 'beat', now: at }]);
    const states = [15_000, 15_001].map((silence) => reduce(live, { type: 'tick', at: at + silence }));

    expect(states.map(({ isStale }) => isStale)).toEqual([false, true]);
    expect(states[1]?.staleSince).toBe(at);
  });
});
