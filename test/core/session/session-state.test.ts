import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  initialState,
  nextState,
  type Outcome,
  type SessionState,
  type SessionStatus,
  type StateEvent,
} from '../../../src/core/session/session-state.js';

const statuses = ['running', 'waiting', 'idle', 'error', 'cancelled'] as const;
const outcomes = ['completed', 'interrupted', 'failed'] as const;

const ended = (outcome: Outcome, promptQueued: boolean): StateEvent => ({
  type: 'turn_ended',
  outcome,
  promptQueued,
});

/** The state table, row by row. `same` means unchanged. Every other transition is illegal. */
const rows: readonly (readonly [readonly SessionStatus[], StateEvent, SessionStatus | 'same'])[] = [
  [['idle', 'error'], { type: 'turn_started' }, 'running'],
  [['running', 'waiting'], { type: 'input_requested' }, 'waiting'],
  [['waiting'], { type: 'input_settled', othersOpen: true }, 'waiting'],
  [['waiting'], { type: 'input_settled', othersOpen: false }, 'running'],
  [['running', 'waiting'], ended('completed', true), 'running'],
  [['running', 'waiting'], ended('interrupted', true), 'running'],
  [['running', 'waiting'], ended('failed', true), 'running'],
  [['running', 'waiting'], ended('completed', false), 'idle'],
  [['running', 'waiting'], ended('interrupted', false), 'idle'],
  [['running', 'waiting'], ended('failed', false), 'error'],
  [['idle', 'error'], { type: 'process_closed' }, 'same'],
  [['idle', 'error'], { type: 'interrupted' }, 'same'],
  [['running', 'waiting', 'idle', 'error'], { type: 'cancelled' }, 'cancelled'],
];

const cases = statuses
  .filter((status) => status !== 'cancelled')
  .flatMap((status) =>
    rows.map(([from, event, to]) => ({
      status,
      event,
      title: JSON.stringify(event),
      to: from.includes(status) ? (to === 'same' ? status : to) : undefined,
    })),
  );

describe('the table', () => {
  it.each(cases.filter(({ to }) => to !== undefined))(
    'moves from $status to $to on $title',
    ({ status, event, to }) => {
      const before: SessionState = { status, outcome: 'interrupted' };

      const after = nextState(before, event);

      expect(after).toEqual({
        status: to,
        outcome: event.type === 'turn_ended' ? event.outcome : 'interrupted',
      });
    },
  );

  it.each(cases.filter(({ to }) => to === undefined))(
    'has no transition from $status on $title',
    ({ status, event }) => {
      const before: SessionState = { status, outcome: undefined };

      const after = nextState(before, event);

      expect(after).toBeUndefined();
    },
  );

  it.each(rows.map(([, event]) => ({ event, title: JSON.stringify(event) })))(
    'stays cancelled on $title',
    ({ event }) => {
      const before: SessionState = { status: 'cancelled', outcome: 'completed' };

      const after = nextState(before, event);

      expect(after).toEqual({ status: 'cancelled', outcome: 'completed' });
    },
  );

  it('starts in a running turn without an outcome', () => {
    expect(initialState).toEqual({ status: 'running', outcome: undefined });
  });
});

const anyEvent: fc.Arbitrary<StateEvent> = fc.oneof(
  fc.constantFrom<StateEvent>(
    { type: 'turn_started' },
    { type: 'input_requested' },
    { type: 'process_closed' },
    { type: 'interrupted' },
    { type: 'cancelled' },
  ),
  fc.boolean().map((othersOpen): StateEvent => ({ type: 'input_settled', othersOpen })),
  fc
    .tuple(fc.constantFrom(...outcomes), fc.boolean())
    .map(([outcome, promptQueued]) => ended(outcome, promptQueued)),
);

interface Step {
  readonly before: SessionState;
  readonly event: StateEvent;
  readonly after: SessionState;
}

/** Applies events as a session does: illegal transitions change nothing. */
function walk(events: readonly StateEvent[]): Step[] {
  let state: SessionState = Object.freeze({ ...initialState });
  return events.map((event) => {
    const before = state;
    state = Object.freeze(nextState(before, event) ?? before);
    return { before, event, after: state };
  });
}

function holdsForEveryStep(check: (step: Step) => void): void {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      for (const step of walk(events)) check(step);
    }),
  );
}

describe('any sequence of events', () => {
  it('stays within the five statuses and the three outcomes', () => {
    holdsForEveryStep(({ after }) => {
      expect(statuses).toContain(after.status);
      expect([undefined, ...outcomes]).toContain(after.outcome);
    });
  });

  it('reaches waiting only through a request', () => {
    holdsForEveryStep(({ before, event, after }) => {
      if (before.status !== 'waiting' && after.status === 'waiting') {
        expect(event.type).toBe('input_requested');
        expect(before.status).toBe('running');
      }
    });
  });

  it('changes the outcome only when a turn ends, to the outcome of that turn', () => {
    holdsForEveryStep(({ before, event, after }) => {
      const isEnd =
        event.type === 'turn_ended' && (before.status === 'running' || before.status === 'waiting');

      expect(after.outcome).toBe(isEnd ? event.outcome : before.outcome);
    });
  });

  it('never leaves cancelled', () => {
    holdsForEveryStep(({ before, after }) => {
      if (before.status === 'cancelled') expect(after).toEqual(before);
    });
  });

  it('ends in error only after a failure, and never ends in idle after one', () => {
    holdsForEveryStep(({ before, after }) => {
      if (after.status === before.status) return;
      if (after.status === 'error') expect(after.outcome).toBe('failed');
      if (after.status === 'idle') expect(after.outcome).not.toBe('failed');
    });
  });
});
