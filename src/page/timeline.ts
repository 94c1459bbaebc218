import type { SessionEvent } from '../core/session/events.js';
import type { SessionView } from '../session/session-view.js';
import type { TimelineEvent } from './contract.js';
import { toSettlement } from './settlements.js';
import { whileUsed } from '../inputs/while-used.js';
import type { Turn } from '../core/text/in-parts.js';
import { visible, visibleOutput } from './wording/texts.js';

export interface TimelinePage {
  readonly events: readonly TimelineEvent[];
  readonly dropped: number;
  /** The place of the last event that was read. */
  readonly cursor: number;
  readonly isWhole: boolean;
}

type Body = TimelineEvent['body'];

/** As much as can be sent in some milliseconds. The rest follows in the next message. */
export const maxMessageChars = 200_000;
/** Making these visible takes some milliseconds, and less than a hundred in the worst case. */
const charsPerTurn = 20_000;

/** Something that has a place in the timeline, and is made visible only if it is shown. */
interface Placed {
  readonly seq: number;
  readonly show: () => TimelineEvent;
}

/** Events and prompts after a cursor, oldest first. Fewer if their texts are long. */
export async function readAfter(
  view: Pick<SessionView, 'id' | 'log'>,
  prompts: readonly Placed[],
  { after, limit, turn }: { readonly after: number; readonly limit: number; readonly turn: Turn },
): Promise<TimelinePage> {
  const from = Math.floor(after);
  const { events, dropped } = view.log.read(from, limit);
  const isWhole = events.length < limit;
  const last = events.at(-1)?.seq ?? from;
  const lastSeq = isWhole ? view.log.head : last;
  const end = isWhole ? Number.POSITIVE_INFINITY : last + 1;
  const placed = prompts.filter(({ seq }) => seq > after && seq < end);
  const items = merged(view.id, events, placed);
  const shown = await showInTurns(items, turn, maxMessageChars);
  if (shown.length < items.length) {
    const cursor = shown.at(-1)?.seq ?? after;
    // Those that were evicted after this place are counted with the next message.
    const place = Math.max(from, Math.floor(cursor));
    const droppedLater = lastSeq - place - events.filter(({ seq }) => seq > place).length;
    return { events: shown, dropped: Math.max(0, dropped - droppedLater), cursor, isWhole: false };
  }
  const cursor = Math.max(after, lastSeq, placed.at(-1)?.seq ?? 0);
  return { events: shown, dropped, cursor, isWhole };
}

/** The last `limit` events and prompts before a place. */
export async function readBefore(
  view: Pick<SessionView, 'id' | 'log'>,
  prompts: readonly Placed[],
  { before, limit, turn }: { readonly before: number; readonly limit: number; readonly turn: Turn },
): Promise<Pick<TimelinePage, 'events' | 'dropped'>> {
  const events = view.log.read(0).events.filter(({ seq }) => seq < before);
  const placed = prompts.filter(({ seq }) => seq < before);
  const whole = merged(view.id, events, placed);
  const shown = whole.slice(-limit);
  const first = shown.length < whole.length ? Math.ceil(shown[0]?.seq ?? 1) : 1;
  const kept = events.filter(({ seq }) => seq >= first).length;
  const wanted = Math.max(0, Math.min(Math.ceil(before), view.log.head + 1) - first);
  return { events: await showInTurns(shown, turn), dropped: Math.max(0, wanted - kept) };
}

/** Shows them in order, with other work in between, until they have so many characters. */
export async function showInTurns<T extends Pick<TimelineEvent, 'body'>>(
  items: readonly { readonly show: () => T }[],
  turn: Turn,
  maxChars = Number.POSITIVE_INFINITY,
): Promise<readonly T[]> {
  const shown: T[] = [];
  let [chars, charsInTurn] = [0, 0];
  for (const item of items) {
    if (chars >= maxChars) break;
    if (charsInTurn >= charsPerTurn) {
      await turn();
      charsInTurn = 0;
    }
    const event = item.show();
    const length = 'text' in event.body ? event.body.text.length : 0;
    [chars, charsInTurn] = [chars + length, charsInTurn + length];
    shown.push(event);
  }
  return shown;
}

function merged(
  sessionId: string,
  events: readonly SessionEvent[],
  prompts: readonly Placed[],
): readonly Placed[] {
  const placed = events
    .filter(isShown)
    .map((event) => ({ seq: event.seq, show: () => toTimeline(event, sessionId) }));
  return prompts.length === 0 ? placed : [...placed, ...prompts].toSorted((a, b) => a.seq - b.seq);
}

type ShownEvent = Exclude<SessionEvent, { readonly type: 'raw' }>;

function isShown(event: SessionEvent): event is ShownEvent {
  return event.type !== 'raw';
}

function toTimeline(event: ShownEvent, sessionId: string): TimelineEvent {
  const { seq, at, turn } = event;
  const agent = 'agent' in event ? event.agent : undefined;
  const body: Body =
    event.type === 'input_resolved'
      ? { type: 'settled', settlement: toSettlement({ ...event, sessionId }) }
      : textOf(event);
  return { seq, at, turn, ...(agent === undefined ? {} : { agent: visible(agent) }), body };
}

/** News reaches all streams that show a session at once. */
const textOf = whileUsed((event: Exclude<ShownEvent, { readonly type: 'input_resolved' }>): Body => {
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
    case 'status':
      return { type: 'note', text: visible(event.text) };
    case 'task':
      return { type: 'note', text: visible(`Background task ${event.state}: ${event.text}`) };
    case 'result':
      return { type: 'result', isError: event.outcome === 'failed', text: visibleOutput(event.text) };
    case 'error':
      return { type: 'result', isError: true, text: visibleOutput(event.text) };
  }
});

function charsOf({ chars }: { readonly chars?: number }): { readonly chars?: number } {
  return chars === undefined ? {} : { chars };
}

/** What the transcript has of the time before this server. */
export type EarlierEvent = Pick<TimelineEvent, 'at' | 'agent' | 'body'>;

export function promptBody(text: string): Body {
  return { type: 'prompt', text: visible(text) };
}

const noteBody = whileUsed(({ text }: SessionView['prompts'][number]) => promptBody(text));

/** Prompts between the same two events have the places 12.001, 12.002 and so on. */
const step = 1_000;

/**
 * The prompts of a session, and earlier events, at their places among its events. Prompts that this server has sent are
 * noted where they were sent; earlier ones are placed by their time.
 */
export function placePrompts(
  { prompts, log }: Pick<SessionView, 'prompts' | 'log'>,
  earlier: readonly EarlierEvent[],
): readonly Placed[] {
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
      const turn = next?.turn ?? events.at(-1)?.turn ?? 0;
      return { afterSeq, show: (seq: number) => ({ ...event, seq, turn }) };
    }),
    ...prompts.map((note) => {
      const { afterSeq, at, turn } = note;
      return { afterSeq, show: (seq: number) => ({ seq, at, turn, body: noteBody(note) }) };
    }),
  ];
  const counts = new Map<number, number>();
  return all.map(({ afterSeq, show }) => {
    const count = (counts.get(afterSeq) ?? 0) + 1;
    counts.set(afterSeq, count);
    const seq = afterSeq + Math.min(count, step - 1) / step;
    return { seq, show: () => show(seq) };
  });
}
