import { AppError } from '../../core/errors.js';
import type { SessionId } from '../../core/ids.js';
import { isWithinRoots, type FolderBounds } from '../../policy/folders.js';
import { openTurnOf } from '../../state/open-turn.js';
import type { SessionRecord } from '../../state/record.js';
import type { RecordStore } from '../../state/record-store.js';
import type { Servers } from '../../state/server-mark.js';

export interface PastRequestSettings {
  readonly records: RecordStore;
  readonly servers: Servers;
  readonly folders: { readonly bounds: FolderBounds };
}

/** How many records are read for a request whose session is not known. */
const maxRecords = 50;

/** Finds out from the records what became of requests that are not open here. */
export class PastRequests {
  readonly #settings: PastRequestSettings;

  constructor(settings: PastRequestSettings) {
    this.#settings = settings;
  }

  /** The error that says what became of it; undefined if no recent record mentions it. */
  async explain(requestId: string, sessionId: SessionId | undefined): Promise<AppError | undefined> {
    for (const id of sessionId === undefined ? await this.#newest() : [sessionId]) {
      const fate = await this.#fateIn(id, requestId);
      if (fate !== undefined) return fate;
    }
    return undefined;
  }

  async #newest(): Promise<readonly SessionId[]> {
    const files = await this.#settings.records.files();
    return files
      .toSorted((a, b) => b.modifiedAt - a.modifiedAt)
      .slice(0, maxRecords)
      .map(({ sessionId }) => sessionId);
  }

  async #fateIn(id: SessionId, requestId: string): Promise<AppError | undefined> {
    const { records, folders } = this.#settings;
    const record = await records.load(id).catch(() => undefined);
    if (record === undefined || !isWithinRoots(record.options.cwd, folders.bounds)) return undefined;
    const { settled = [], voided = [], requests = [], lastResult } = record;
    const answer = settled.find((one) => one.requestId === requestId);
    if (answer !== undefined && answer.answeredBy !== 'shutdown')
      return new AppError('request_settled', { sessionId: id, ...answer });
    const isOfLastTurn = voided.includes(requestId);
    if (answer !== undefined || isOfLastTurn)
      return new AppError('request_ended', {
        requestId,
        wasRewind: isOfLastTurn && lastResult?.startedBy === 'rewind',
      });
    return requests.some((one) => one.requestId === requestId)
      ? this.#unsettled(record, requestId)
      : undefined;
  }

  async #unsettled(record: SessionRecord, requestId: string): Promise<AppError | undefined> {
    const open = await openTurnOf(record, this.#settings.servers);
    if (open.owner === 'here') return undefined;
    return open.owner === 'elsewhere'
      ? new AppError('request_open_elsewhere', { requestId, pid: open.pid })
      : new AppError('request_ended', { requestId, wasRewind: record.openTurn?.startedBy === 'rewind' });
  }
}
