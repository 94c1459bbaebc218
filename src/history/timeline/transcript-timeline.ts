import { keptPart } from '../../core/text/kept-part.js';
import { mapTexts } from '../../core/text/map-texts.js';
import { withLineAt } from '../../files/lines.js';
import { agentKind, conversationFiles, unknownAgent } from '../conversation-files.js';
import { parseLine } from '../message-line.js';
import { indexFile, withFile, type FileIndex, type Place } from './file-index.js';
import { bodiesIn, type TranscriptItem } from './timeline-line.js';

interface Index {
  readonly files: ReadonlyMap<string, FileIndex>;
  /** By time. */
  readonly places: readonly Place[];
  /** The number of the first item of each place. */
  readonly firsts: readonly number[];
  readonly total: number;
}

export interface ItemRange {
  /** The first item is 0. */
  readonly from: number;
  readonly to: number;
}

export interface TimelineItems {
  readonly items: readonly TranscriptItem[];
  /** The number of the first of them: those before the places that are kept cannot be read. */
  readonly first: number;
  readonly total: number;
}

const maxIndexes = 4;
/** An agent can write millions of lines to its own transcripts. A person never reads that far back. */
const mostPlaces = 100_000;

/** Reads parts of conversations with their subagents. Keeps the places of the last few, and adds what is appended. */
export class TranscriptTimelines {
  readonly #indexes = new Map<string, Index>();
  /** Readers of the same conversation share an index that is being made. */
  readonly #making = new Map<string, Promise<Index>>();
  readonly #most: number;

  /** `most`: of the places in a transcript, and of those in the transcripts of its subagents together. */
  constructor(most = mostPlaces) {
    this.#most = most;
  }

  /** The items of a range. Without one, only their number is read. */
  async read(path: string, range: ItemRange = { from: 0, to: 0 }): Promise<TimelineItems> {
    const index = await this.#indexOf(path);
    this.#indexes.delete(path);
    this.#indexes.set(path, index);
    for (const oldest of [...this.#indexes.keys()].slice(0, -maxIndexes)) this.#indexes.delete(oldest);
    const { firsts, total } = index;
    const first = Math.max(0, range.from, firsts[0] ?? total);
    return { items: await readItems(index, path, { ...range, from: first }), first, total };
  }

  async #indexOf(path: string): Promise<Index> {
    const making = this.#making.get(path) ?? indexOf(path, this.#most, this.#indexes.get(path));
    this.#making.set(path, making);
    try {
      return await making;
    } finally {
      this.#making.delete(path);
    }
  }
}

async function indexOf(path: string, most: number, known: Index | undefined): Promise<Index> {
  const files = new Map<string, FileIndex>();
  const found = await conversationFiles(path);
  const mostOfAgent = Math.ceil(most / Math.max(1, found.length - 1));
  for (const file of found) {
    const isOfAgent = file !== path;
    const wanted = { file, isOfAgent, most: isOfAgent ? mostOfAgent : most };
    const index = await indexFile(wanted, known?.files.get(file));
    if (index !== undefined) files.set(file, index);
  }
  if (known !== undefined && isSame(known.files, files)) return known;
  const places = [...files.values()].flatMap((file) => file.places).toSorted((a, b) => a.at - b.at);
  let total = [...files.values()].reduce((sum, { passed }) => sum + passed, 0);
  const firsts = places.map(({ count }) => (total += count) - count);
  return { files, places, firsts, total };
}

function isSame(a: ReadonlyMap<string, FileIndex>, b: ReadonlyMap<string, FileIndex>): boolean {
  return a.size === b.size && [...a].every(([file, index]) => b.get(file) === index);
}

async function readItems(
  { places, firsts, total }: Index,
  main: string,
  { from, to }: ItemRange,
): Promise<TranscriptItem[]> {
  const items: TranscriptItem[] = [];
  const kinds = new Map([[main, unknownAgent]]);
  for (
    let at = from < Math.min(to, total) ? lastUpTo(firsts, from) : places.length;
    at < places.length;
    at += 1
  ) {
    const [place, first = to] = [places[at], firsts[at]];
    if (place === undefined || first >= to) break;
    if (place.isOfAgent && !kinds.has(place.file)) kinds.set(place.file, await agentKind(place.file));
    const agent = place.isOfAgent ? kinds.get(place.file) : undefined;
    items.push(...(await itemsAt(place, agent)).slice(Math.max(0, from - first), to - first));
  }
  return items;
}

/** The index of the last of these rising numbers that is not larger than `limit`. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** More than the page shows of one text. */
const maxTextChars = 200_000;

function shortened<T>(body: T): T {
  return mapTexts(body, (text) => keptPart(text, maxTextChars)) as T;
}

async function itemsAt(
  { file, start, length, at, isOfAgent }: Place,
  agent: string | undefined,
): Promise<TranscriptItem[]> {
  const bodies = await withFile(file, (handle) =>
    withLineAt(handle, { start, length }, (line) => bodiesIn(parseLine(line), isOfAgent).map(shortened)),
  );
  return (bodies ?? []).map((body) => ({ at, ...(agent === undefined ? {} : { agent }), body }));
}
