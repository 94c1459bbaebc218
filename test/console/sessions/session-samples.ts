import type { SessionEvent } from '../../../src/core/session/events.js';
import type { RecordedSession } from '../../../src/console/sessions/kept-sessions.js';
import type { Paint } from '../../../src/console/terminal/paint.js';
import type { SessionRecord } from '../../../src/state/record.js';
import { plainOptions, plainRecord } from '../../kit/records.js';

export const id = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';

/** Clears the screen, and turns the direction of the text. */
export const hostile = 'a\u001b[2Jb\u202ec\rd';
export const shownHostile = 'a\\u{1b}[2Jb\\u{202e}c\\u{d}d';

export const plain: Paint = (_color, text) => text;

export function recordOf(changes: Partial<SessionRecord> = {}): SessionRecord {
  return plainRecord(id, {
    options: { ...plainOptions, cwd: '/home/me/app', title: 'Fix the test' },
    totals: { turns: 2, costUsd: 0.42 },
    ...changes,
  });
}

/** A session that works in the server with process id 4711. */
export function running(changes: Partial<SessionRecord> = {}): RecordedSession {
  const openTurn = { turn: 2, startedAt: 10_000, prompts: ['go'] };
  return {
    record: recordOf({ status: 'running', openTurn, server: '4711.x', openCostUsd: 0.08, ...changes }),
    serverPid: 4711,
    events: [],
  };
}

type Body = SessionEvent extends infer E
  ? E extends SessionEvent
    ? Omit<E, 'seq' | 'at' | 'turn'>
    : never
  : never;

export function eventsOf(...bodies: readonly Body[]): SessionEvent[] {
  return bodies.map((body, index) => ({ ...body, seq: index + 1, at: noon + index * 1_000, turn: 1 }));
}

const noon = new Date(2026, 0, 1, 12).getTime();
