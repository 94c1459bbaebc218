import { fold, nothing, ownLines, type Folded } from './fold.js';
import { appendLines, readLines, replaceLines, type ReadLines } from './journal-file.js';
import { parseLine, toText, type Line, type Spent } from './line.js';

/** The fields of a record. Missing and undefined fields are the same. */
export type Fields = Readonly<Record<string, unknown>>;

/** Fields whose loss in a power failure would do no harm. */
const fleeting: ReadonlySet<string> = new Set(['openCostUsd']);

/** A file is compacted when it is longer than this, and several times longer than what it says. */
const compactBytes = 256 * 1024;
const compactRatio = 4;
/** Reports of usage reach back this far. */
const keepSpentMs = 32 * 86_400_000;

interface Waiting {
  readonly line: Omit<Line, 'v'>;
  readonly isDurable: boolean;
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
  /** What turns have cost, in lines that could not be written. */
  #unwritten: Waiting[] = [];
  #work: Promise<void> = Promise.resolve();
  #isWriting = false;
  #bytes: number | undefined;

  /** `prepare` runs before each write, with the time of its last line. */
  constructor(path: string, prepare: (at: number) => Promise<void>) {
    this.#path = path;
    this.#prepare = prepare;
  }

  /** Resolves when the change is on disk. */
  save(fields: Fields, at: number, spent?: Spent): Promise<void> {
    const set = this.#fields === undefined ? { ...fields } : changesOf(this.#fields, fields);
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
      ...(spent && { spent }),
    };
    return this.#write({ line, isDurable });
  }

  /** Notes a fork, which shares the budget of this session. */
  noteFork(fork: string, at: number): Promise<void> {
    return this.#write({ line: { at, fork }, isDurable: true });
  }

  /** The size of the file after the last write; undefined if there was none. Another size means another writer. */
  get bytes(): number | undefined {
    return this.#bytes;
  }

  /** Resolves or rejects like the last write. */
  get saved(): Promise<void> {
    return this.#work;
  }

  #write(waiting: Waiting): Promise<void> {
    this.#waiting.push(waiting);
    if (this.#isWriting && this.#waiting.length > 1) return this.#work;
    this.#isWriting = true;
    this.#work = this.#work.catch(() => undefined).then(() => this.#writeWaiting());
    // Whoever saved hears of a failure; nobody else has to listen.
    this.#work.catch(() => undefined);
    return this.#work;
  }

  async #writeWaiting(): Promise<void> {
    const batch = [...this.#unwritten, ...this.#waiting];
    const at = lastOf(batch);
    this.#waiting = [];
    this.#unwritten = batch.flatMap(({ line: { at: then, spent, fork } }) =>
      spent === undefined && fork === undefined ? [] : [{ line: { at: then, spent, fork }, isDurable: true }],
    );
    try {
      await this.#prepare(at);
      const text = batch.map(({ line }) => toText(line)).join('') + (this.#isBehind ? this.#whole(at) : '');
      const isDurable = batch.some((one) => one.isDurable);
      const { bytes, isNew } = await appendLines(this.#path, text, { isDurable });
      this.#unwritten = [];
      this.#bytes = bytes;
      // Someone has deleted the file: a few changes alone would be no record.
      if (isNew && !this.#isBehind && !batch.some(({ line }) => line.whole))
        this.#bytes = (await appendLines(this.#path, this.#whole(at), { isDurable })).bytes;
      this.#isBehind = false;
      // A failure changes nothing: the next turn tries again.
      if (batch.some(({ line }) => line.spent !== undefined))
        await this.#compact(bytes, at).catch(() => undefined);
    } catch (error) {
      this.#isBehind = true;
      throw error;
    } finally {
      if (this.#waiting.length === 0) this.#isWriting = false;
    }
  }

  #whole(at: number): string {
    return this.#fields === undefined ? '' : toText({ at, set: this.#fields, whole: true });
  }

  /** Called at the end of a turn, when this server holds the session. */
  async #compact(bytes: number, now: number): Promise<void> {
    if (bytes < compactBytes) return;
    const { folded } = (await readJournal(this.#path)) ?? { folded: nothing };
    const spent = folded.spent.filter(({ at }) => at > now - keepSpentMs);
    const text = [
      ...spent.map(({ at, ...one }) => toText({ at, spent: one })),
      toText({ at: now, set: { ...folded.fields }, whole: true }),
    ].join('');
    if (Buffer.byteLength(text) * compactRatio >= bytes) return;
    await replaceLines(this.#path, text);
    this.#bytes = Buffer.byteLength(text);
  }
}

export interface ReadJournal {
  readonly read: ReadLines;
  readonly folded: Folded;
}

/** What a journal says now; undefined if there is none. `before` saves reading the same lines again. */
export async function readJournal(path: string, before?: ReadJournal): Promise<ReadJournal | undefined> {
  const read = await readLines(path, before?.read);
  if (read === undefined) return undefined;
  const isContinued = before !== undefined && read.start > 0;
  const lines = read.lines.flatMap((text) => parseLine(text) ?? []);
  return { read, folded: fold(isContinued ? before.folded : nothing, lines) };
}

function lastOf(batch: readonly Waiting[]): number {
  return batch.at(-1)?.line.at ?? 0;
}

/** New values of fields, and null for those that are gone. */
function changesOf(before: Fields, now: Fields): Record<string, unknown> {
  const changed = Object.entries(now).filter(
    ([key, value]) => value !== undefined && !ownLines.has(key) && !isSame(before[key], value),
  );
  const gone = Object.keys(before).filter(
    (key) => !ownLines.has(key) && before[key] !== undefined && now[key] === undefined,
  );
  return { ...Object.fromEntries(changed), ...Object.fromEntries(gone.map((key) => [key, null])) };
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  return JSON.stringify(a) === JSON.stringify(b);
}
