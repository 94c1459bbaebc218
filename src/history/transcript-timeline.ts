import type { FileHandle } from 'node:fs/promises';
import { ownValue, parseJson } from '../core/json.js';
import { keptPart } from '../core/text/kept-part.js';
import { mapTexts } from '../core/text/map-texts.js';
import { readLineBytes, withLineAt } from '../files/lines.js';
import { openRegularFile } from '../files/regular-file.js';
import { agentKind, conversationFiles, unknownAgent } from './conversation-files.js';
import { mayBeMessage } from './message-line.js';
import { bodiesIn, timeOf, type TranscriptItem } from './timeline-line.js';

/** A line with something to show. Its text stays on disk, because a transcript may be far larger than a page. */
interface Place {
  readonly file: string;
  readonly start: number;
  readonly length: number;
  readonly at: number;
  readonly agent: string | undefined;
  /** How many items the line records. */
  readonly count: number;
}

interface Index {
  /** Sizes of the files when they were read. */
  readonly state: string;
  /** By time. */
  readonly places: readonly Place[];
  readonly total: number;
}

export interface ItemRange {
  /** The first item is 0. */
  readonly from: number;
  readonly to: number;
}

export interface TimelineItems {
  readonly items: readonly TranscriptItem[];
  readonly total: number;
}

const maxIndexes = 4;

/** Reads parts of conversations with their subagents. Keeps the places of the last few, until a file has changed. */
export class TranscriptTimelines {
  readonly #indexes = new Map<string, Index>();

  /** The items of a range. Without one, only their number is read. */
  async read(path: string, range: ItemRange = { from: 0, to: 0 }): Promise<TimelineItems> {
    const files = await conversationFiles(path);
    const { places, total } = await this.#indexOf(path, files);
    return { items: await readItems(places, range), total };
  }

  async #indexOf(path: string, files: readonly string[]): Promise<Index> {
    const state = JSON.stringify(await Promise.all(files.map(sizeOf)));
    const known = this.#indexes.get(path);
    this.#indexes.delete(path);
    const index = known?.state === state ? known : await indexOf(files, path, state);
    this.#indexes.set(path, index);
    for (const oldest of [...this.#indexes.keys()].slice(0, -maxIndexes)) this.#indexes.delete(oldest);
    return index;
  }
}

async function indexOf(files: readonly string[], main: string, state: string): Promise<Index> {
  const all: Place[] = [];
  for (const file of files) {
    const agent = file === main ? undefined : await agentKind(file);
    await withFile(file, async (handle) => {
      let at = 0;
      const { size } = await handle.stat();
      for await (const { start, bytes } of readLineBytes(handle, 0, size)) {
        if (!mayBeMessage(bytes)) continue;
        const line = parseJson(bytes.toString('utf8'));
        const who = agentOf(line, agent);
        const count = bodiesIn(line, who !== undefined).length;
        // The order within a file counts, even if its times do not agree with it.
        at = Math.max(at, timeOf(line) ?? at);
        if (count > 0) all.push({ file, start, length: bytes.length, at, agent: who, count });
      }
    });
  }
  const places = all.toSorted((a, b) => a.at - b.at);
  return { state, places, total: places.reduce((sum, { count }) => sum + count, 0) };
}

/** Earlier versions recorded subagents in the transcript itself. */
function agentOf(line: unknown, agent: string | undefined): string | undefined {
  return agent ?? (ownValue(line, 'isSidechain') === true ? unknownAgent : undefined);
}

async function readItems(places: readonly Place[], { from, to }: ItemRange): Promise<TranscriptItem[]> {
  const items: TranscriptItem[] = [];
  let first = 0;
  for (const place of places) {
    if (first >= to) break;
    const end = first + place.count;
    if (end > from) items.push(...(await itemsAt(place)).slice(Math.max(0, from - first), to - first));
    first = end;
  }
  return items;
}

/** More than the page shows of one text. */
const maxTextChars = 200_000;

function shortened<T>(body: T): T {
  return mapTexts(body, (text) => keptPart(text, maxTextChars)) as T;
}

async function itemsAt({ file, start, length, at, agent }: Place): Promise<TranscriptItem[]> {
  const items: TranscriptItem[] = [];
  await withFile(file, async (handle) => {
    const bodies = await withLineAt(handle, { start, length }, (line) =>
      bodiesIn(parseJson(line), agent !== undefined).map(shortened),
    );
    for (const body of bodies) items.push({ at, ...(agent === undefined ? {} : { agent }), body });
  });
  return items;
}

async function sizeOf(file: string): Promise<readonly [string, number]> {
  let size = -1;
  await withFile(file, async (handle) => {
    ({ size } = await handle.stat());
  });
  return [file, size];
}

/** A file that cannot be read has nothing to show. */
async function withFile(file: string, act: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await openRegularFile(file).catch(() => undefined);
  if (handle === undefined) return;
  try {
    await act(handle);
  } finally {
    await handle.close();
  }
}
