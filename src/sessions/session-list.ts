import { isAbsolute, resolve } from 'node:path';
import { AppError } from '../core/errors.js';
import type { Redactor } from '../core/observability/redactor.js';
import { findLiveOwners } from '../history/live-owner.js';
import { realPath } from '../files/real-path.js';
import { SessionIndex, type DiskSession } from '../history/session-index.js';
import type { TranscriptFile } from '../history/transcript-files.js';
import { isWithinRoots } from '../policy/folders.js';
import { mayListHistory, refuseHistory } from '../policy/foreign.js';
import type { PolicySettings } from '../policy/settings.js';
import type { ConversationSettings } from '../session/process/conversation.js';
import type { FolderSettings } from './options/folder-facts.js';
import type { Session } from '../session/session.js';

export interface SessionListDependencies {
  readonly conversations: ConversationSettings;
  readonly folders: Pick<FolderSettings, 'bounds'>;
  readonly policy: PolicySettings;
  readonly redactor: Redactor;
}

/** `server`: sessions in memory. `disk`: sessions with a transcript. `all`: both, without duplicates. */
export type SessionListScope = 'server' | 'disk' | 'all';

export interface SessionListRequest {
  readonly scope: SessionListScope;
  /** The folder in which the sessions started. */
  readonly projectDirectory?: string | undefined;
  /** Part of the title, the first prompt or the folder; case is ignored. */
  readonly query?: string | undefined;
  readonly limit: number;
  readonly offset?: number;
}

/** A listed session: of this server, on disk, or both. */
export interface ListedSession {
  readonly sessionId: string;
  readonly session: Session | undefined;
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

/** A session of this server, with its transcript if it has one. */
interface Ours {
  readonly session: Session;
  file: TranscriptFile | undefined;
}

type Described = Omit<ListedSession, 'ownerPid'>;
type Filter = (entry: Described) => Promise<boolean>;

/** How many entries are read before checking whether the page is full. */
const chunk = 64;

/** Lists all sessions, most recent first: those of this server merged with those on disk. */
export class SessionList {
  readonly #deps: SessionListDependencies;
  readonly #inMemory: () => readonly Session[];
  readonly #index: SessionIndex;

  constructor(deps: SessionListDependencies, inMemory: () => readonly Session[]) {
    this.#deps = deps;
    this.#inMemory = inMemory;
    this.#index = new SessionIndex(deps.conversations.claudeHome, deps.redactor);
  }

  /** The widest scope that callers may request. */
  get widestScope(): SessionListScope {
    return mayListHistory(this.#deps.policy) ? 'all' : 'server';
  }

  async list(request: SessionListRequest): Promise<SessionListPage> {
    const { scope, projectDirectory, limit, offset = 0 } = request;
    if (scope !== 'server') refuseHistory(this.#deps.policy);
    const folder = projectDirectory === undefined ? undefined : await toRealFolder(projectDirectory);
    const found = scope === 'server' ? { files: [], unreadable: 0 } : await this.#index.find(folder);
    const candidates = this.#merge(found.files, scope);
    const isWanted = this.#filter(request, folder);
    // Only a filter needs to read all entries. Without one, entries after the page are only counted.
    const enough = isWanted === undefined ? offset + limit : Number.POSITIVE_INFINITY;
    const shown: Described[] = [];
    let seen = 0;
    let matching = 0;
    let skipped = found.unreadable;
    while (seen < candidates.length && matching < enough) {
      const some = candidates.slice(seen, seen + Math.min(chunk, enough - matching));
      seen += some.length;
      for (const entry of await this.#describe(some)) {
        if (entry === undefined) skipped += 1;
        else if (isWanted === undefined || (await isWanted(entry))) {
          matching += 1;
          if (matching > offset && shown.length < limit) shown.push(entry);
        }
      }
    }
    const more = Math.max(0, matching - offset - shown.length) + (candidates.length - seen);
    return { entries: await this.#withOwners(shown), more, skipped };
  }

  /** A session of this server and its transcript are one entry, even if Claude Code has changed its id. */
  #merge(files: readonly TranscriptFile[], scope: SessionListScope): readonly (Ours | TranscriptFile)[] {
    const byId = new Map<string, Ours>();
    const ours = this.#inMemory().map((session): Ours => ({ session, file: undefined }));
    for (const one of ours) byId.set(one.session.id, one).set(one.session.view.claudeSessionId, one);
    const foreign = files.filter((file) => {
      const one = byId.get(file.sessionId);
      if (one === undefined) return true;
      const isCurrent = file.sessionId === one.session.view.claudeSessionId;
      if (isCurrent || one.file === undefined) one.file = file;
      return false;
    });
    const shown = ours.filter(({ file }) => file !== undefined || scope !== 'disk');
    return [...shown, ...foreign].toSorted((a, b) => lastUsedAt(b) - lastUsedAt(a));
  }

  async #describe(candidates: readonly (Ours | TranscriptFile)[]): Promise<(Described | undefined)[]> {
    const files = candidates.map((one) => ('session' in one ? one.file : one));
    const known = await this.#index.describe(files.filter((file) => file !== undefined));
    return candidates.map((one, index) => {
      const file = files[index];
      const facts = file && known.shift();
      const disk = facts && { ...facts, bytes: file.bytes };
      if ('session' in one)
        return { sessionId: one.session.id, session: one.session, disk, lastUsedAt: lastUsedAt(one) };
      return disk && { sessionId: one.sessionId, session: undefined, disk, lastUsedAt: one.modifiedAt };
    });
  }

  /** Returns undefined if nothing is filtered out. */
  #filter({ query }: SessionListRequest, folder: string | undefined): Filter | undefined {
    const { bounds } = this.#deps.folders;
    if (query === undefined && folder === undefined && bounds.roots.length === 0) return undefined;
    const words = query?.toLowerCase() ?? '';
    // Cached, because thousands of sessions share a few folders.
    const realFolder = remembered(realPath);
    return async (entry) => {
      const { session, disk } = entry;
      const cwd = session?.view.options.cwd ?? disk?.cwd ?? '';
      if (words !== '' && !this.#shows(textOf(entry, cwd), words)) return false;
      if (folder !== undefined && ((await realFolder(cwd)) ?? resolve(cwd)) !== folder) return false;
      // A session in memory has passed the policy. A folder that no longer exists has no real path to compare with the
      // roots.
      if (bounds.roots.length === 0 || session !== undefined) return true;
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

  async #withOwners(entries: readonly Described[]): Promise<readonly ListedSession[]> {
    const { claudeHome, startTimeOf } = this.#deps.conversations;
    const idOf = ({ sessionId, session }: Described): string => session?.view.claudeSessionId ?? sessionId;
    const owners = await findLiveOwners({
      claudeHome,
      startTimeOf,
      claudeSessionIds: new Set(entries.map(idOf)),
      ownPids: new Set(this.#inMemory().flatMap(({ view }) => view.pid ?? [])),
    });
    return entries.map((entry) => ({
      ...entry,
      // Redacted again, for secrets that became known after the transcript was read.
      disk: entry.disk && this.#deps.redactor.redactValue(entry.disk),
      ownerPid: owners.get(idOf(entry)),
    }));
  }
}

/** The text that a search looks in. */
function textOf({ session, disk }: Described, cwd: string): string {
  const firstPrompt = disk?.firstPrompt ?? session?.view.firstPrompt;
  return [session?.view.title, disk?.title, firstPrompt, cwd].join('\n');
}

function lastUsedAt(one: Ours | TranscriptFile): number {
  if (!('session' in one)) return one.modifiedAt;
  return Math.max(one.session.lastUsedAt, one.file?.modifiedAt ?? 0);
}

function remembered<T>(find: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    const value = known.get(path) ?? find(path);
    known.set(path, value);
    return value;
  };
}

async function toRealFolder(path: string): Promise<string> {
  if (isAbsolute(path)) return (await realPath(path)) ?? resolve(path);
  throw new AppError('project_directory_relative', { path });
}
