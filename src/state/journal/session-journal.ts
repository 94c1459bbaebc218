import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { fold, nothing, ownLines, type Folded, type SpentAt } from './fold.js';
import { appendLines, readLines, replaceLines, type ReadLines } from './journal-file.js';
import { parseLine, toText, type Line, type Spent } from './line.js';

/** The fields of a record. Missing and undefined fields are the same. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Fields whose loss in a power failure would do no harm. The cursor counts events, which are not synced either, and it
 * changes with each of them.
 */
const fleeting: ReadonlySet<string> = new Set(['openCostUsd', 'cursor']);

/** A file is compacted when it is longer than this, and several times longer than what it says. */
const compactBytes = 256 * 1024;
const compactRatio = 4;
/** Far from the size at which a file counts as foreign, even if a record is long. */
const longBytes = 16 * 1024 * 1024;
/** Reports of usage reach back this far. */
const keepSpentMs = 32 * 86_400_000;

interface Waiting {
  readonly line: Omit<Line, 'v'>;
  readonly isDurable: boolean;
  /** This server runs a turn of the session or holds its lock, so no other may compact the file. */
  readonly isOurs: boolean;
}

/** Writes the changes of one session, in order. After a failed write, the next one contains everything. */
export class SessionJournal {
  readonly #path: string;
  readonly #prepare: (at: number) => Promise<void>;
  /** The fields as of the last save; undefined before the first. */
  #fields: Fields | undefined;
  /** The last write failed, so changes alone would not be enough. */
  #isBehind = false;
  #waiting: Waiting[] = [];
  /** Costs and forks, in lines that may not have been written. */
  #unwritten: Waiting[] = [];
  #work: Promise<void> = Promise.resolve();
  #lasting: Promise<void> = this.#work;
  #isWriting = false;
  #bytes: number | undefined;
  #hasOthers = false;
  /** The size at which the file may be worth compacting. */
  #compactAt = compactBytes;

  /** `prepare` runs before each write, with the time of each of its lines. */
  constructor(path: string, prepare: (at: number) => Promise<void>) {
    this.#path = path;
    this.#prepare = prepare;
  }

  /** The next save writes what differs from these fields, which were read from the file. */
  continueFrom(fields: Fields): void {
    this.#fields = fields;
    this.#hasOthers = false;
  }

  /** This server has read the file up to `size`. `written`: what `bytes` was then; a write since tells more. */
  noteRead(size: number, written: number | undefined): void {
    if (this.#bytes !== written) return;
    this.#bytes = size;
    this.#hasOthers = false;
  }

  /** Resolves when the change is on disk. */
  save(fields: Fields, at: number, spent?: Spent, isHeld = false): Promise<void> {
    const set = changesOf(this.#fields ?? {}, fields);
    const keys = Object.keys(set);
    if (keys.length === 0 && spent === undefined && !this.#isBehind) return this.#work;
    // Another server may have written fields that are gone.
    const isWhole = this.#fields === undefined && keys.length > 0;
    this.#fields = fields;
    const isDurable = this.#isBehind || spent !== undefined || keys.some((key) => !fleeting.has(key));
    const line = {
      at,
      ...(keys.length === 0 ? {} : { set }),
      ...(isWhole ? { whole: isWhole } : {}),
      ...(spent && { spent: { id: randomBytes(6).toString('hex'), ...spent } }),
    };
    const isOurs = isHeld || spent !== undefined || fields['openTurn'] !== undefined;
    const written = this.#write({ line, isDurable, isOurs });
    if (isDurable) this.#lasting = written;
    return written;
  }

  /** Notes a fork, which shares the budget of this session. */
  noteFork(fork: string, at: number): Promise<void> {
    return this.#write({ line: { at, fork }, isDurable: true, isOurs: false });
  }

  /** The size of the file after the last write or read; undefined before. Another size means another writer. */
  get bytes(): number | undefined {
    return this.#bytes;
  }

  /** The fields as this server last read or wrote them; undefined if it has done neither, or could not write them. */
  get written(): Fields | undefined {
    return this.#isBehind ? undefined : this.#fields;
  }

  /** Before the last write, another server has written what this one has not read. */
  get hasOthers(): boolean {
    return this.#hasOthers;
  }

  /** Resolves or rejects like the last write. */
  get saved(): Promise<void> {
    return this.#work;
  }

  /** Resolves or rejects like the last write that must survive a power failure. */
  get lasting(): Promise<void> {
    return this.#lasting;
  }

  /** Everything is on disk. */
  get isSaved(): boolean {
    return !this.#isWriting && !this.#isBehind;
  }

  /** Costs that may not be on disk. */
  get unwritten(): readonly SpentAt[] {
    return this.#unwritten.flatMap(({ line: { at, spent } }) =>
      spent === undefined ? [] : [{ at, ...spent }],
    );
  }

  #write(waiting: Waiting): Promise<void> {
    this.#waiting.push(waiting);
    if (this.#isWriting && this.#waiting.length > 1) return this.#work;
    this.#isWriting = true;
    this.#work = this.#work.catch(() => undefined).then(() => this.#writeWaiting());
    // `save` returns this promise. Without a handler here, a failure that nobody awaits would end the process.
    this.#work.catch(() => undefined);
    return this.#work;
  }

  async #writeWaiting(): Promise<void> {
    const batch = [...this.#unwritten, ...this.#waiting];
    const at = lastOf(batch);
    this.#waiting = [];
    this.#unwritten = batch.flatMap(unlessOnlyFields);
    try {
      for (const { line } of batch) await this.#prepare(line.at);
      const text = batch.map(({ line }) => toText(line)).join('') + (this.#isBehind ? this.#whole(at) : '');
      await this.#append(text, batch);
      this.#isBehind = false;
      this.#unwritten = [];
    } catch (error) {
      this.#isBehind = true;
      throw error;
    } finally {
      if (this.#waiting.length === 0) this.#isWriting = false;
    }
    // A failure changes nothing: a later write tries again.
    if (batch.some(({ isOurs }) => isOurs)) await this.#compact(at).catch(() => undefined);
  }

  async #append(text: string, batch: readonly Waiting[]): Promise<void> {
    const isDurable = batch.some((one) => one.isDurable);
    const { bytes, before } = await appendLines(this.#path, text, { isDurable });
    this.#hasOthers ||= this.#bytes !== undefined && this.#bytes !== before;
    this.#bytes = bytes;
    // Someone has deleted the file: a few changes alone would be no record.
    if (before === 0 && !this.#isBehind && !batch.some(({ line }) => line.whole))
      this.#bytes = (await appendLines(this.#path, this.#whole(lastOf(batch)), { isDurable })).bytes;
  }

  #whole(at: number): string {
    return this.#fields === undefined ? '' : toText({ at, set: changesOf({}, this.#fields), whole: true });
  }

  async #compact(now: number): Promise<void> {
    if (this.#bytes === undefined || this.#bytes < this.#compactAt) return;
    const journal = await readJournal(this.#path);
    if (journal === undefined) return;
    const { fields, spent } = journal.folded;
    const text = [
      ...spent.filter(({ at }) => at > now - keepSpentMs).map(({ at, ...one }) => toText({ at, spent: one })),
      toText({ at: now, set: { ...fields }, whole: true }),
    ].join('');
    this.#compactAt = Math.min(Math.max(compactBytes, Buffer.byteLength(text) * compactRatio), longBytes);
    if (this.#bytes < this.#compactAt) return;
    this.#bytes = await replaceLines(this.#path, text, journal.read);
  }
}

export interface ReadJournal {
  readonly read: ReadLines;
  readonly folded: Folded;
}

/** The folded journal; undefined if the file does not exist. With `before`, reads only lines added since. */
export async function readJournal(path: string, before?: ReadJournal): Promise<ReadJournal | undefined> {
  const read = await readLines(path, before?.read);
  if (read === undefined) return undefined;
  const isContinued = before !== undefined && read.start > 0;
  const lines = read.lines.flatMap((text) => parseLine(text) ?? []);
  return { read, folded: fold(isContinued ? before.folded : nothing, lines) };
}

/** What a whole record does not contain. */
function unlessOnlyFields({ line: { at, spent, fork }, isOurs }: Waiting): Waiting[] {
  return spent === undefined && fork === undefined
    ? []
    : [{ line: { at, spent, fork }, isDurable: true, isOurs }];
}

function lastOf(batch: readonly Waiting[]): number {
  return batch.at(-1)?.line.at ?? 0;
}

/** New values of fields, and null for those that are gone. */
function changesOf(before: Fields, now: Fields): Record<string, unknown> {
  const changed = Object.entries(now).filter(
    ([key, value]) => value !== undefined && !ownLines.has(key) && !isDeepStrictEqual(before[key], value),
  );
  const gone = Object.keys(before).filter(
    (key) => !ownLines.has(key) && before[key] !== undefined && now[key] === undefined,
  );
  return { ...Object.fromEntries(changed), ...Object.fromEntries(gone.map((key) => [key, null])) };
}
