import type { TimelineEvent } from '../../src/page/contract.js';

type Body<Type extends TimelineEvent['body']['type']> = Extract<
  TimelineEvent['body'],
  { readonly type: Type }
>;

/** One entry of the timeline: a call with its result, a request with its answer, or a single event. */
export interface Item {
  readonly event: TimelineEvent;
  readonly result?: Body<'tool_result'>;
  readonly settled?: Body<'settled'>;
}

export interface Chunk {
  readonly key: number;
  readonly items: readonly Item[];
}

/** Chunks are cut by sequence number, so that loading older events leaves the others as they are. */
const chunkSize = 50;

/** Reuses the chunks of `before` that have not changed, so that they are not rendered again. */
export function toChunks(events: readonly TimelineEvent[], before: readonly Chunk[]): readonly Chunk[] {
  const known = new Map(before.map((chunk) => [chunk.key, chunk]));
  const chunks = new Map<number, Item[]>();
  for (const item of toItems(events)) {
    const key = Math.floor(item.event.seq / chunkSize);
    const items = chunks.get(key);
    if (items === undefined) chunks.set(key, [item]);
    else items.push(item);
  }
  return [...chunks].map(([key, items]) => {
    const old = known.get(key);
    return old !== undefined && isSame(old.items, items) ? old : { key, items };
  });
}

function toItems(events: readonly TimelineEvent[]): readonly Item[] {
  const results = new Map<string, Body<'tool_result'>>();
  const settlements = new Map<string, Body<'settled'>>();
  const uses = new Set<string>();
  const asked = new Set<string>();
  for (const { body } of events) {
    if (body.type === 'tool_result') results.set(body.toolUseId, body);
    if (body.type === 'settled') settlements.set(body.settlement.requestId, body);
    if (body.type === 'tool_use') uses.add(body.toolUseId);
    if (body.type === 'asked') asked.add(body.requestId);
  }
  let lastText = '';
  const items: Item[] = [];
  for (const event of events) {
    const { body } = event;
    if (body.type === 'text') lastText = body.text;
    if (body.type === 'tool_result' && uses.has(body.toolUseId)) continue;
    if (body.type === 'settled' && asked.has(body.settlement.requestId)) continue;
    items.push(toItem(event, { results, settlements, lastText }));
  }
  return items;
}

interface Around {
  readonly results: ReadonlyMap<string, Body<'tool_result'>>;
  readonly settlements: ReadonlyMap<string, Body<'settled'>>;
  readonly lastText: string;
}

const shortened = new WeakMap<TimelineEvent, TimelineEvent>();

function toItem(event: TimelineEvent, { results, settlements, lastText }: Around): Item {
  const { body } = event;
  if (body.type === 'tool_use') {
    const result = results.get(body.toolUseId);
    return { event, ...(result !== undefined && { result }) };
  }
  if (body.type === 'asked') {
    const settled = settlements.get(body.requestId);
    return { event, ...(settled !== undefined && { settled }) };
  }
  // A result usually repeats the last text.
  if (body.type === 'result' && !body.isError && body.text === lastText) {
    const short = shortened.get(event) ?? { ...event, body: { ...body, text: '' } };
    shortened.set(event, short);
    return { event: short };
  }
  return { event };
}

function isSame(before: readonly Item[], after: readonly Item[]): boolean {
  return (
    before.length === after.length &&
    before.every((item, index) => {
      const other = after[index];
      return item.event === other?.event && item.result === other.result && item.settled === other.settled;
    })
  );
}
