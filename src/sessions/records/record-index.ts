import type { Redactor } from '../../core/observability/redactor.js';
import type { SessionState } from '../../core/session/session-state.js';
import type { SessionView } from '../../session/session-view.js';
import { openTurnOf } from '../../state/open-turn.js';
import type { SessionRecord } from '../../state/record.js';
import type { RecordFile, RecordStore } from '../../state/record-store.js';
import type { Servers } from '../../state/server-mark.js';
import { cutOff } from './recovery.js';

/** What a list shows of a session that this state folder knows, in memory or on record. */
export type ListedView = Pick<
  SessionView,
  | 'id'
  | 'claudeSessionId'
  | 'title'
  | 'firstPrompt'
  | 'options'
  | 'folder'
  | 'shownOptions'
  | 'state'
  | 'turnNumber'
  | 'totals'
  | 'elsewhere'
  | 'isLive'
  | 'activity'
>;

export interface RecordIndexSettings {
  readonly records: RecordStore;
  readonly servers: Servers;
  readonly redactor: Redactor;
}

/** What of a record is needed for lists. Results can be long, so they are not kept. */
type Kept = Omit<SessionRecord, 'lastResult' | 'grants' | 'settled' | 'queue'>;

/** What is kept of all records. A caller chooses how long each is, by its options. */
const maxKeptBytes = 64 * 2 ** 20;
/** A record in memory takes more than its text. */
const entryBytes = 1_000;

interface Known {
  readonly file: RecordFile;
  /** Undefined for a file that only holds costs. */
  readonly record: Kept | undefined;
  /** What it takes in memory, roughly. Files are many times longer. */
  readonly bytes: number;
}

/** The sessions on record, for lists: nothing is restored, and a file is read again only if it has changed. */
export class RecordIndex {
  readonly #settings: RecordIndexSettings;
  readonly #known = new Map<string, Known>();
  #keptBytes = 0;

  constructor(settings: RecordIndexSettings) {
    this.#settings = settings;
  }

  async find(): Promise<readonly RecordFile[]> {
    const files = await this.#settings.records.files();
    // Sessions that are gone must not take the place of others.
    if (this.#known.size <= files.length && this.#keptBytes < maxKeptBytes / 2) return files;
    const present = new Set<string>(files.map(({ sessionId }) => sessionId));
    for (const id of this.#known.keys()) if (!present.has(id)) this.#forget(id);
    return files;
  }

  /** Our sessions by Claude Code's id, where it differs. */
  aliases(): Promise<ReadonlyMap<string, string>> {
    return this.#settings.records.aliases();
  }

  /** Undefined if the file is no record of a session. Throws if it cannot be read. */
  async describe(file: RecordFile): Promise<ListedView | undefined> {
    const record = await this.#recordOf(file);
    return record && this.#viewOf(record);
  }

  async #recordOf(file: RecordFile): Promise<Kept | undefined> {
    const known = this.#known.get(file.sessionId);
    const isUnchanged = known?.file.bytes === file.bytes && known.file.modifiedAt === file.modifiedAt;
    if (known !== undefined && isUnchanged) return known.record;
    const record = await this.#settings.records.load(file.sessionId);
    const { lastResult: _result, grants: _grants, settled: _settled, queue: _queue, ...kept } = record ?? {};
    const bytes = entryBytes + (record === undefined ? 0 : JSON.stringify(kept).length);
    this.#keep({ file, record: record && (kept as Kept), bytes });
    return record && (kept as Kept);
  }

  /** Lists read all records in the same order: in place of the oldest, none would still be there for the next list. */
  #keep(known: Known): void {
    const { sessionId } = known.file;
    this.#forget(sessionId);
    if (this.#keptBytes + known.bytes > maxKeptBytes) return;
    this.#known.set(sessionId, known);
    this.#keptBytes += known.bytes;
  }

  #forget(id: string): void {
    this.#keptBytes -= this.#known.get(id)?.bytes ?? 0;
    this.#known.delete(id);
  }

  async #viewOf(seen: Kept): Promise<ListedView> {
    const { servers, redactor } = this.#settings;
    const open = await openTurnOf(seen, servers);
    const record = open.owner === 'gone' ? cutOff(seen, seen.updatedAt) : seen;
    const { options, firstPrompt, status, outcome } = record;
    const state: SessionState = { status, outcome };
    return {
      id: record.sessionId as ListedView['id'],
      claudeSessionId: record.claudeSessionId,
      title: options.title && redactor.redact(options.title),
      firstPrompt: firstPrompt && redactor.redact(firstPrompt),
      options,
      folder: redactor.redact(options.cwd),
      get shownOptions() {
        return redactor.redactOnce(options);
      },
      state,
      turnNumber: record.turn,
      totals: record.totals,
      elsewhere: open.owner === 'elsewhere' ? open.pid : undefined,
      isLive: false,
      activity: () => undefined,
    };
  }
}
