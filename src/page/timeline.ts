import type { SessionEvent } from '../core/session/events.js';
import type { SessionView } from '../session/session-view.js';
import type { TimelineEvent } from './contract.js';
import { toSettlement } from './settlements.js';
import { visible, visibleOutput } from './wording/texts.js';

export interface TimelinePage {
  readonly events: readonly TimelineEvent[];
  readonly dropped: number;
  /** The place of the last event that was read. */
  readonly cursor: number;
  readonly isWhole: boolean;
}

type Body = TimelineEvent['body'];

/** Events and prompts after a cursor, oldest first. */
export function readAfter(
  view: Pick<SessionView, 'id' | 'log'>,
  prompts: readonly TimelineEvent[],
  after: number,
  limit: number,
): TimelinePage {
  const { events, dropped } = view.log.read(Math.floor(after), limit);
  const isWhole = events.length < limit;
  const last = events.at(-1)?.seq ?? Math.floor(after);
  const end = isWhole ? Number.POSITIVE_INFINITY : last + 1;
  const placed = prompts.filter(({ seq }) => seq > after && seq < end);
  const shown = merged(view.id, events, placed);
  const cursor = Math.max(after, isWhole ? view.log.head : last, placed.at(-1)?.seq ?? 0);
  return { events: shown, dropped, cursor, isWhole };
}

/** The last `limit` events and prompts before a place. */
export function readBefore(
  view: Pick<SessionView, 'id' | 'log'>,
  prompts: readonly TimelineEvent[],
  before: number,
  limit: number,
): Pick<TimelinePage, 'events' | 'dropped'> {
  const events = view.log.read(0).events.filter(({ seq }) => seq < before);
  const placed = prompts.filter(({ seq }) => seq < before);
  const whole = merged(view.id, events, placed);
  const shown = whole.slice(-limit);
  const first = shown.length < whole.length ? Math.ceil(shown[0]?.seq ?? 1) : 1;
  const kept = events.filter(({ seq }) => seq >= first).length;
  const wanted = Math.max(0, Math.min(Math.ceil(before), view.log.head + 1) - first);
  return { events: shown, dropped: Math.max(0, wanted - kept) };
}

function merged(
  sessionId: string,
  events: readonly SessionEvent[],
  prompts: readonly TimelineEvent[],
): TimelineEvent[] {
  const shown = events.flatMap((event) => toTimeline(event, sessionId));
  return prompts.length === 0 ? shown : [...shown, ...prompts].toSorted((a, b) => a.seq - b.seq);
}

function toTimeline(event: SessionEvent, sessionId: string): TimelineEvent[] {
  const body = bodyOf(event, sessionId);
  if (body === undefined) return [];
  const { seq, at, turn } = event;
  const agent = 'agent' in event ? event.agent : undefined;
  return [{ seq, at, turn, ...(agent === undefined ? {} : { agent: visible(agent) }), body }];
}

/** Undefined if there is nothing to show. */
function bodyOf(event: SessionEvent, sessionId: string): Body | undefined {
  switch (event.type) {
    case 'text':
    case 'thinking':
      return { type: event.type, text: visibleOutput(event.text), ...charsOf(event) };
    case 'tool_use': {
      const { type, toolUseId, toolName, summary } = event;
      return { type, toolUseId, toolName: visible(toolName), summary: visible(summary) };
    }
    case 'tool_result': {
      const { type, toolUseId, isError, isDenied = false, text } = event;
      return { type, toolUseId, isError, isDenied, text: visibleOutput(text), ...charsOf(event) };
    }
    case 'input_request': {
      const { requestId, toolUseId, kind, toolName, summary } = event;
      const texts = { toolName: visible(toolName), summary: visible(summary) };
      return { type: 'asked', requestId, toolUseId, kind, ...texts };
    }
    case 'input_resolved':
      return { type: 'settled', settlement: toSettlement({ ...event, sessionId }) };
    case 'status':
      return { type: 'note', text: visible(event.text) };
    case 'task':
      return { type: 'note', text: visible(`Background task ${event.state}: ${event.text}`) };
    case 'result':
      return { type: 'result', isError: event.outcome === 'failed', text: visibleOutput(event.text) };
    case 'error':
      return { type: 'result', isError: true, text: visibleOutput(event.text) };
    case 'raw':
      return undefined;
  }
}

function charsOf({ chars }: { readonly chars?: number }): { readonly chars?: number } {
  return chars === undefined ? {} : { chars };
}

/** What the transcript has of the time before this server. */
export type EarlierEvent = Pick<TimelineEvent, 'at' | 'agent' | 'body'>;

export function promptBody(text: string): Body {
  return { type: 'prompt', text: visible(text) };
}

/** Prompts between the same two events have the places 12.001, 12.002 and so on. */
const step = 1_000;

/**
 * The prompts of a session, and earlier events, at their places among its events. Prompts that this server has sent are
 * noted where they were sent; earlier ones are placed by their time.
 */
export function placePrompts(
  { prompts, log }: Pick<SessionView, 'prompts' | 'log'>,
  earlier: readonly EarlierEvent[],
): readonly TimelineEvent[] {
  const events = earlier.length === 0 ? [] : log.read(0).events;
  const firstPrompt = prompts[0]?.at ?? Number.POSITIVE_INFINITY;
  const firstEvent = events[0]?.at ?? Number.POSITIVE_INFINITY;
  // Only prompts are missing among the events.
  const before = earlier.filter(
    ({ at, body }) => at < firstPrompt && (body.type === 'prompt' || at < firstEvent),
  );
  const all = [
    ...before.map((event) => {
      const next = events.find(({ at }) => at >= event.at);
      const afterSeq = next === undefined ? (events.at(-1)?.seq ?? 0) : next.seq - 1;
      return { ...event, afterSeq, turn: next?.turn ?? events.at(-1)?.turn ?? 0 };
    }),
    ...prompts.map(({ text, ...place }) => ({ ...place, body: promptBody(text) })),
  ];
  const counts = new Map<number, number>();
  return all.map(({ afterSeq, ...event }) => {
    const count = (counts.get(afterSeq) ?? 0) + 1;
    counts.set(afterSeq, count);
    return { ...event, seq: afterSeq + Math.min(count, step - 1) / step };
  });
}
