import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import { AppError } from '../core/errors.js';
import { asList, ownValue } from '../core/json.js';
import { isUuid, type SessionId } from '../core/ids.js';
import { replaceFile } from '../files/atomic-write.js';
import { openOwnFile } from '../files/own-file.js';
import { readOpened } from '../files/regular-file.js';
import { Turns } from '../files/turns.js';
import type { DayIndex } from './day-index.js';
import type { FirstFormat } from './first-format.js';
import type { SpentAt } from './journal/fold.js';
import type { Spent } from './journal/line.js';
import { readJournal, SessionJournal, type Fields, type ReadJournal } from './journal/session-journal.js';
import { findRecordFiles, statsOf, type RecordFile } from './record-files.js';
import { parseRecord, type SessionRecord } from './record.js';

export type { Fields, RecordFile, Spent };

export interface RecordSettings {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly firstFormat: FirstFormat;
  readonly days: DayIndex;
}

/** A call reads the record of its session several times, and some records have megabytes. */
const maxRecent = 4;
/** A principal can send hundreds of calls at once, each about many sessions. The next read goes on from the last one. */
const maxReading = 4;

/** The records of sessions. Each is the sum of the lines in its own journal. */
export class RecordStore {
  readonly #settings: RecordSettings;
  readonly #folder: string;
  /** The journals that this server writes. */
  readonly #journals = new Map<string, SessionJournal>();
  /** Sessions by Claude Code's id, where it differs from ours. */
  readonly #aliases = new Map<string, SessionId>();
  /** How far each record was read, and what this server had written then. */
  readonly #readTo = new WeakMap<
    SessionRecord,
    { readonly size: number; readonly written: number | undefined }
  >();
  /** The journals that were read last, by their paths. Each is read on from where it was. */
  readonly #recent = new Map<string, ReadJournal>();
  readonly #reading = new Turns(maxReading);
  /** Sessions whose record is still in the first format. */
  readonly #old = new Set<string>();

  constructor(settings: RecordSettings) {
    this.#settings = settings;
    this.#folder = join(settings.stateDir, 'sessions');
  }

  /**
   * Writes what has changed since the last save, and what a turn has cost. Resolves when it is on disk. `isHeld`: no other
   * server can run or change the session.
   */
  async save(record: SessionRecord, spent?: Spent, isHeld = false): Promise<void> {
    const { sessionId } = record;
    await this.#journalOf(sessionId).save(record, record.updatedAt, spent, isHeld);
    await this.#writeAlias(record);
    if (this.#old.delete(sessionId)) await this.#settings.firstFormat.removeRecord(sessionId);
  }

  /** The same for a session that is not persisted: only what it costs, under a name that leads nowhere. */
  saveMoney(name: string, fields: Fields, spent?: Spent): Promise<void> {
    return this.#journalOf(name).save(fields, this.#settings.clock.now(), spent);
  }

  /** The next save writes what differs from this record, which was loaded. */
  continueFrom(record: SessionRecord): void {
    if (this.#old.has(record.sessionId)) return;
    this.#journalOf(record.sessionId).continueFrom(record);
    this.noteRead(record);
  }

  /** What this record says, which was loaded, is not news again. */
  noteRead(record: SessionRecord): void {
    const at = this.#readTo.get(record);
    if (at !== undefined) this.#journals.get(record.sessionId)?.noteRead(at.size, at.written);
  }

  /** Notes that a fork shares the budget of a session. */
  noteFork(budgetId: string, forkId: string): Promise<void> {
    return this.#journalOf(budgetId).noteFork(forkId, this.#settings.clock.now());
  }

  async load(sessionId: SessionId): Promise<SessionRecord | undefined> {
    await this.#settled(sessionId);
    const size = statsOf(this.#path(sessionId))?.size;
    const written = this.#journals.get(sessionId)?.bytes;
    const record = await this.#read(sessionId);
    if (record !== undefined && size !== undefined) this.#readTo.set(record, { size, written });
    return record;
  }

  /** Finds the session by Claude Code's id, which differs from ours after `/clear`. */
  async findByClaudeId(claudeSessionId: SessionId): Promise<SessionId | undefined> {
    const text = await readOpened(openOwnFile(this.#aliasPath(claudeSessionId)), 100);
    return text !== undefined && isUuid(text) ? (text as SessionId) : undefined;
  }

  /** The files of all records, in no order. Some hold only costs, of sessions that are not persisted. */
  files(): Promise<readonly RecordFile[]> {
    return findRecordFiles(this.#folder);
  }

  /** Sessions by Claude Code's id, where it differs from ours. Reads only those that are new. */
  async aliases(): Promise<ReadonlyMap<string, SessionId>> {
    const names = await readdir(join(this.#folder, 'aliases')).catch(() => []);
    for (const name of names.filter((one) => isUuid(one) && !this.#aliases.has(one))) {
      const id = await this.findByClaudeId(name as SessionId);
      if (id !== undefined) this.#aliases.set(name, id);
    }
    return this.#aliases;
  }

  /** The sessions whose id, or that of Claude Code, begins like this. Reads names, and no record. */
  async idsLike(start: string): Promise<readonly SessionId[]> {
    const [own, theirs] = await Promise.all(
      [this.#folder, join(this.#folder, 'aliases')].map((folder) => readdir(folder).catch(() => [])),
    );
    const aliases = (theirs ?? []).filter((name) => name.startsWith(start) && isUuid(name));
    const ids = await Promise.all(aliases.map((name) => this.findByClaudeId(name as SessionId)));
    const names = (own ?? []).filter((name) => name.startsWith(start)).map((name) => name.split('.', 1)[0]);
    return [...new Set([...names, ...ids])].filter((id): id is SessionId => id !== undefined && isUuid(id));
  }

  /** Whether another server has written to a record what this one has not read. What this one could not write is newer. */
  async isContinued(sessionId: SessionId): Promise<boolean> {
    await this.#settled(sessionId);
    const { bytes, isSaved = true, hasOthers = false } = this.#journals.get(sessionId) ?? {};
    const now = statsOf(this.#path(sessionId))?.size;
    return isSaved && bytes !== undefined && now !== undefined && (hasOthers || now !== bytes);
  }

  /** Whether a record that has just been loaded names another model or mode than this server last read or wrote. */
  hasOtherModes({ sessionId, options }: SessionRecord): boolean {
    // What this one could not write is newer.
    const known = this.#journals.get(sessionId)?.written?.['options'];
    if (known === undefined) return false;
    return comparedOptions.some((key) => ownValue(known, key) !== options[key]);
  }

  /** Whether there is a record that cannot be read: the session must not start over as if there were none. */
  async isDamaged(sessionId: SessionId): Promise<boolean> {
    const paths = [this.#path(sessionId), this.#settings.firstFormat.recordPath(sessionId)];
    const found = await Promise.all(
      paths.map((path) =>
        lstat(path).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (!found.includes(true) || (await this.#read(sessionId)) !== undefined) return false;
    // A session of someone else has no record, but forks of it may share a budget.
    return (await this.forksOf(sessionId)).length === 0;
  }

  /** The forks that share the budget of a session. */
  async forksOf(sessionId: string): Promise<readonly string[]> {
    const journal = await this.#journalAt(this.#path(sessionId)).catch(orUnusable);
    if (journal === undefined || journal === 'unusable') return [];
    return asList(journal.folded.fields['forks']).filter((id) => typeof id === 'string');
  }

  async remove(sessionId: SessionId): Promise<void> {
    await this.#settled(sessionId);
    this.#journals.delete(sessionId);
    await rm(this.#path(sessionId), { force: true });
  }

  /** Frees memory. The next save writes the whole record. */
  async release(sessionId: string): Promise<void> {
    await this.#settled(sessionId);
    // Someone may have saved meanwhile, and two journals would write in any order.
    if (this.#journals.get(sessionId)?.isSaved === true) this.#journals.delete(sessionId);
  }

  /** Resolves when all pending writes are on disk or have failed. */
  async flush(): Promise<void> {
    await Promise.allSettled([...this.#journals.values()].map(({ saved }) => saved));
  }

  /**
   * Resolves when what an answer about this session can say is on disk or could not be written. Estimated costs are
   * written several times per second: an answer does not wait for them.
   */
  async flushFor(sessionId: string): Promise<void> {
    const journal = this.#journals.get(sessionId);
    // A session that is not persisted has its journal under another name.
    if (journal === undefined) await this.flush();
    else await journal.lasting.catch(() => undefined);
  }

  /** Costs that may not be on disk. */
  get unwritten(): readonly SpentAt[] {
    return [...this.#journals.values()].flatMap(({ unwritten }) => unwritten);
  }

  async #settled(sessionId: string): Promise<void> {
    await this.#journals.get(sessionId)?.saved.catch(() => undefined);
  }

  /** A damaged record counts as missing; the session can still be found by its transcript. */
  async #read(sessionId: string): Promise<SessionRecord | undefined> {
    const journal = await this.#journalAt(this.#path(sessionId)).catch(orUnusable);
    if (journal === 'unusable') return undefined;
    if (journal !== undefined) return parseRecord(journal.folded.fields, sessionId);
    const record = await this.#settings.firstFormat.readRecord(sessionId);
    if (record !== undefined) this.#old.add(sessionId);
    return record;
  }

  async #journalAt(path: string): Promise<ReadJournal | undefined> {
    const journal = await this.#reading.run(() => readJournal(path, this.#recent.get(path)));
    this.#recent.delete(path);
    if (journal === undefined) return undefined;
    this.#recent.set(path, { ...journal, read: { ...journal.read, lines: [] } });
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > maxRecent && oldest !== undefined) this.#recent.delete(oldest);
    return journal;
  }

  #journalOf(sessionId: string): SessionJournal {
    const known = this.#journals.get(sessionId);
    if (known !== undefined) return known;
    const journal = new SessionJournal(this.#path(sessionId), (at) =>
      this.#settings.days.note(sessionId, at),
    );
    this.#journals.set(sessionId, journal);
    return journal;
  }

  async #writeAlias({ sessionId, claudeSessionId }: SessionRecord): Promise<void> {
    if (claudeSessionId === sessionId || this.#aliases.has(claudeSessionId)) return;
    await mkdir(join(this.#folder, 'aliases'), { recursive: true, mode: 0o700 });
    await replaceFile(this.#aliasPath(claudeSessionId), sessionId);
    this.#aliases.set(claudeSessionId, sessionId as SessionId);
  }

  #aliasPath(claudeSessionId: string): string {
    return join(this.#folder, 'aliases', claudeSessionId);
  }

  #path(sessionId: string): string {
    return join(this.#folder, `${sessionId}.jsonl`);
  }
}

/** Options that are changed between turns. */
const comparedOptions = ['model', 'permissionMode'] as const;

/** Data of a newer version is not damaged, and must not be treated as if it were. */
function orUnusable(error: unknown): 'unusable' {
  if (error instanceof AppError && error.reason === 'state_newer') throw error;
  return 'unusable';
}
