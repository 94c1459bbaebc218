import { isAbsolute, resolve } from 'node:path';
import { AppError } from '../core/errors.js';
import { atHome } from '../core/paths.js';
import { findLiveOwners } from '../history/live-owner.js';
import { realPath } from '../files/real-path.js';
import { Turns } from '../files/turns.js';
import { SessionIndex, type DiskSession } from '../history/session-index.js';
import type { TranscriptFile } from '../history/transcript-files.js';
import { isWithinRoots, type FolderBounds } from '../policy/folders.js';
import { mayListHistory, refuseHistory } from '../policy/foreign.js';
import type { PolicySettings } from '../policy/settings.js';
import type { ConversationSettings } from '../session/process/conversation.js';
import type { Session } from '../session/session.js';
import type { RecordFile } from '../state/record-store.js';
import { RecordIndex, type ListedView, type RecordIndexSettings } from './records/record-index.js';

export type { ListedView };

export interface SessionListDependencies extends RecordIndexSettings {
  readonly conversations: Pick<ConversationSettings, 'claudeHome' | 'startTimeOf'>;
  readonly folders: { readonly bounds: Pick<FolderBounds, 'roots' | 'home'> };
  readonly policy: Pick<PolicySettings, 'history'>;
}

/** `server`: sessions of servers of this user. `disk`: sessions with a transcript. `all`: both, without duplicates. */
type SessionListScope = 'server' | 'disk' | 'all';

export interface SessionListRequest {
  readonly scope: SessionListScope;
  /** The folder in which the sessions started. */
  readonly projectDirectory?: string | undefined;
  /** Part of the title, the first prompt or the folder; case is ignored. */
  readonly query?: string | undefined;
  readonly limit: number;
  readonly offset?: number;
}

/** A listed session: recorded in the state folder, on disk, or both. */
export interface ListedSession {
  readonly sessionId: string;
  readonly ours: ListedView | undefined;
  readonly disk: (DiskSession & { readonly bytes: number }) | undefined;
  readonly lastUsedAt: number;
  /** The process that has it open, if it is not ours. */
  readonly ownerPid: number | undefined;
}

export interface SessionListPage {
  readonly entries: readonly ListedSession[];
  /** How many sessions follow the last entry. */
  readonly more: number;
  /** Empty, damaged or unreadable files found on the way. */
  readonly skipped: number;
}

/** A session that may be listed. Not everything about it is known yet. */
interface Candidate {
  readonly sessionId: string;
  /** Set if it is in memory; its record may be older. */
  readonly session?: Session;
  readonly record?: RecordFile;
  transcript?: TranscriptFile | undefined;
}

interface Described extends Omit<ListedSession, 'ownerPid'> {
  /** It has passed the policy. */
  readonly isInMemory: boolean;
}
type Filter = (entry: Described) => Promise<boolean>;

/** How many entries are read before checking whether the page is full. */
const chunk = 64;

/** Lists all sessions, most recent first: those of our servers merged with those on disk. */
export class SessionList {
  readonly #deps: SessionListDependencies;
  readonly #inMemory: () => Promise<readonly Session[]>;
  readonly #index: SessionIndex;
  readonly #records: RecordIndex;
  /** Each looks at every transcript, and one principal can send hundreds of calls at once. */
  readonly #turns = new Turns(2);

  /** `inMemory`: the sessions that are not behind their records. */
  constructor(deps: SessionListDependencies, inMemory: () => Promise<readonly Session[]>) {
    this.#deps = deps;
    this.#inMemory = inMemory;
    this.#index = new SessionIndex(deps.conversations.claudeHome, deps.redactor);
    this.#records = new RecordIndex(deps);
  }

  /** The widest scope that callers may request. */
  get widestScope(): SessionListScope {
    return mayListHistory(this.#deps.policy) ? 'all' : 'server';
  }

  async list(request: SessionListRequest, signal?: AbortSignal): Promise<SessionListPage> {
    if (request.scope !== 'server') refuseHistory(this.#deps.policy);
    return this.#turns.run(() => this.#read(request), signal);
  }

  async #read(request: SessionListRequest): Promise<SessionListPage> {
    const { scope, projectDirectory, limit, offset = 0 } = request;
    const folder = projectDirectory === undefined ? undefined : await this.#realFolder(projectDirectory);
    const found = scope === 'server' ? { files: [], unreadable: 0 } : await this.#index.find(folder);
    const sessions = await this.#inMemory();
    const { candidates, count } = await this.#merge(sessions, found.files, scope);
    const isWanted = this.#filter(request, folder);
    // Only a filter needs to read all entries. Without one, entries after the page are only counted.
    const enough = isWanted === undefined ? offset + limit : Number.POSITIVE_INFINITY;
    const shown: Described[] = [];
    let seen = 0;
    let matching = 0;
    let skipped = found.unreadable;
    while (seen < count && matching < enough) {
      const some = firstOf(candidates, Math.min(chunk, enough - matching));
      seen += some.length;
      for (const entry of await this.#describe(some)) {
        if (entry === 'unreadable') skipped += 1;
        else if (entry !== undefined && (isWanted === undefined || (await isWanted(entry)))) {
          matching += 1;
          if (matching > offset && shown.length < limit) shown.push(entry);
        }
      }
    }
    const more = Math.max(0, matching - offset - shown.length) + (count - seen);
    return { entries: await this.#withOwners(shown, sessions), more, skipped };
  }

  async #realFolder(path: string): Promise<string> {
    if (isAbsolute(path)) return (await realPath(path)) ?? resolve(path);
    const { home } = this.#deps.folders.bounds;
    throw new AppError('project_directory_relative', { path, meant: atHome(path, home) });
  }

  /** A recorded session and its transcript are one entry, even if Claude Code has changed its id. */
  async #merge(
    sessions: readonly Session[],
    transcripts: readonly TranscriptFile[],
    scope: SessionListScope,
  ): Promise<{ candidates: Iterator<Candidate>; count: number }> {
    const ours = new Map<string, Candidate>(
      sessions.map((session) => [session.id, { sessionId: session.id, session }]),
    );
    for (const record of await this.#records.find())
      if (!ours.has(record.sessionId)) ours.set(record.sessionId, { sessionId: record.sessionId, record });
    const currentIds = new Map([
      ...[...(await this.#records.aliases())].map(([claudeId, id]) => [claudeId, id] as const),
      ...sessions.map(({ id, view }) => [view.claudeSessionId, id as string] as const),
    ]);
    const foreign = transcripts.filter((transcript) => {
      const one = ours.get(currentIds.get(transcript.sessionId) ?? transcript.sessionId);
      if (one === undefined) return true;
      const isCurrent = currentIds.has(transcript.sessionId);
      if (isCurrent || one.transcript === undefined) one.transcript = transcript;
      return false;
    });
    const shown = [...ours.values()].filter(({ transcript }) => transcript !== undefined || scope !== 'disk');
    const latest = shown.toSorted((a, b) => lastUsedAt(b) - lastUsedAt(a));
    return { candidates: merged(latest, foreign), count: latest.length + foreign.length };
  }

  /** Undefined for a file that holds no session, such as one that only holds costs. */
  async #describe(candidates: readonly Candidate[]): Promise<(Described | 'unreadable' | undefined)[]> {
    const known = await this.#index.describe(
      candidates.map(({ transcript }) => transcript).filter((file) => file !== undefined),
    );
    return Promise.all(
      candidates.map(async (one) => {
        const { sessionId, session, record, transcript } = one;
        const facts = transcript && known.shift();
        const disk = facts && { ...facts, bytes: transcript.bytes };
        const ours =
          session?.view ??
          (record && (await this.#records.describe(record).catch(() => 'unreadable' as const)));
        if (ours === 'unreadable') return ours;
        if (ours !== undefined || disk !== undefined)
          return { sessionId, ours, disk, lastUsedAt: lastUsedAt(one), isInMemory: session !== undefined };
        return record === undefined ? 'unreadable' : undefined;
      }),
    );
  }

  /** Returns undefined if nothing is filtered out. */
  #filter({ query }: SessionListRequest, folder: string | undefined): Filter | undefined {
    const { bounds } = this.#deps.folders;
    if (query === undefined && folder === undefined && bounds.roots.length === 0) return undefined;
    const words = query?.toLowerCase() ?? '';
    // Cached, because thousands of sessions share a few folders.
    const realFolder = remembered(realPath);
    return async (entry) => {
      const { ours, disk, isInMemory } = entry;
      const cwd = ours?.options.cwd ?? disk?.cwd ?? '';
      if (words !== '' && !this.#shows(textOf(entry, cwd), words)) return false;
      if (folder !== undefined && ((await realFolder(cwd)) ?? resolve(cwd)) !== folder) return false;
      // A session in memory has passed the policy. A folder that no longer exists has no real path to compare with the
      // roots.
      if (bounds.roots.length === 0 || isInMemory) return true;
      const real = await realFolder(cwd);
      return real !== undefined && isWithinRoots(real, bounds);
    };
  }

  /** Redacting costs more than searching, so it comes second. But a search must not reveal redacted text. */
  #shows(text: string, words: string): boolean {
    return (
      text.toLowerCase().includes(words) && this.#deps.redactor.redact(text).toLowerCase().includes(words)
    );
  }

  async #withOwners(
    entries: readonly Described[],
    sessions: readonly Session[],
  ): Promise<readonly ListedSession[]> {
    const { claudeHome, startTimeOf } = this.#deps.conversations;
    const idOf = ({ sessionId, ours }: Described): string => ours?.claudeSessionId ?? sessionId;
    const owners = await findLiveOwners({
      claudeHome,
      startTimeOf,
      claudeSessionIds: new Set(entries.map(idOf)),
      ownPids: new Set(sessions.flatMap(({ view }) => view.pid ?? [])),
    });
    return entries.map((entry) => ({
      sessionId: entry.sessionId,
      ours: entry.ours,
      lastUsedAt: entry.lastUsedAt,
      // Redacted again, for secrets that became known after the transcript was read.
      disk: entry.disk && this.#deps.redactor.redactValue(entry.disk),
      ownerPid: owners.get(idOf(entry)),
    }));
  }
}

/**
 * Both are sorted, latest first. A candidate is made when it is read: one for each of ten thousand transcripts would be
 * megabytes of garbage per list.
 */
function* merged(ours: readonly Candidate[], transcripts: readonly TranscriptFile[]): Generator<Candidate> {
  let next = 0;
  for (const transcript of transcripts) {
    for (
      let one = ours[next];
      one !== undefined && lastUsedAt(one) >= transcript.modifiedAt;
      one = ours[next]
    ) {
      yield one;
      next += 1;
    }
    yield { sessionId: transcript.sessionId, transcript };
  }
  yield* ours.slice(next);
}

function firstOf<T>(values: Iterator<T>, count: number): T[] {
  const first: T[] = [];
  for (let one = values.next(); one.done !== true; one = values.next()) {
    first.push(one.value);
    if (first.length >= count) break;
  }
  return first;
}

/** The text that a search looks in. */
function textOf({ ours, disk }: Described, cwd: string): string {
  return [ours?.title, disk?.title, ours?.firstPrompt, disk?.firstPrompt, cwd].join('\n');
}

function lastUsedAt({ session, record, transcript }: Candidate): number {
  return Math.max(session?.view.lastUsedAt ?? record?.modifiedAt ?? 0, transcript?.modifiedAt ?? 0);
}

function remembered<T>(find: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    const value = known.get(path) ?? find(path);
    known.set(path, value);
    return value;
  };
}
