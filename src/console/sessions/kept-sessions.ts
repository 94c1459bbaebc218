import { isUuid, type SessionId } from '../../core/ids.js';
import type { Redactor } from '../../core/observability/redactor.js';
import type { SessionEvent } from '../../core/session/events.js';
import type { ClaudeHome } from '../../history/claude-home.js';
import { findLiveOwner } from '../../history/live-owner.js';
import { readMessages } from '../../history/message-page.js';
import { SessionIndex, type DiskSession } from '../../history/session-index.js';
import { findTranscript } from '../../history/transcript.js';
import { cutOff } from '../../sessions/records/recovery.js';
import { SessionList, type SessionListPage } from '../../sessions/session-list.js';
import type { EventStore } from '../../state/event-store.js';
import { openTurnOf } from '../../state/open-turn.js';
import type { SessionRecord } from '../../state/record.js';
import type { RecordStore } from '../../state/record-store.js';
import type { Servers } from '../../state/server-mark.js';
import type { SessionLocks } from '../../state/session-locks.js';

export interface KeptSettings {
  readonly records: RecordStore;
  readonly events: Pick<EventStore, 'read'>;
  readonly servers: Servers;
  readonly locks: Pick<SessionLocks, 'holderOf'>;
  readonly claudeHome: ClaudeHome;
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
  readonly descendantsOf: (pid: number) => Promise<readonly { readonly pid: number }[]>;
  readonly redactor: Redactor;
}

/** A session of the state folder, as it is now. */
export interface RecordedSession {
  readonly record: SessionRecord;
  /** The server that runs its open turn. */
  readonly serverPid: number | undefined;
  /** Oldest first. */
  readonly events: readonly SessionEvent[];
}

/** A message of a conversation that no server has started. */
export interface LastMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** A session that only Claude Code knows, usually of a terminal. */
export interface DiskOnlySession extends DiskSession {
  readonly lastUsedAt: number;
  /** Oldest first. */
  readonly messages: readonly LastMessage[];
}

export interface Owners {
  /** The server that has the session open, even at rest. */
  readonly holderPid: number | undefined;
  /** Another Claude Code that has it open, usually of a person. */
  readonly claudePid: number | undefined;
}

const maxMessages = 6;

/** Reads the sessions of the state folder and of Claude Code. Writes nothing, and takes no lock. */
export class KeptSessions {
  readonly #settings: KeptSettings;
  readonly #list: SessionList;
  readonly #index: SessionIndex;

  constructor(settings: KeptSettings) {
    const { records, servers, redactor, claudeHome, startTimeOf } = settings;
    this.#settings = settings;
    this.#index = new SessionIndex(claudeHome, redactor);
    this.#list = new SessionList(
      {
        records,
        servers,
        redactor,
        conversations: { claudeHome, startTimeOf },
        // Both bound what callers may see. A person sees their own sessions.
        folders: { bounds: { roots: [], home: '' } },
        policy: { history: 'list' },
      },
      async () => [],
    );
  }

  list(query: string | undefined, limit: number): Promise<SessionListPage> {
    return this.#list.list({ scope: 'all', query, limit });
  }

  /** The ids of all sessions that begin like this, by our id or by that of Claude Code. */
  async idsLike(prefix: string): Promise<readonly SessionId[]> {
    const { records } = this.#settings;
    const [files, aliases, { files: transcripts }] = await Promise.all([
      records.files(),
      records.aliases(),
      this.#index.find(),
    ]);
    const ids = [
      ...files.map(({ sessionId }) => sessionId),
      ...aliases.keys(),
      ...transcripts.map(({ sessionId }) => sessionId),
    ].filter((id) => isUuid(id) && id.startsWith(prefix.toLowerCase()));
    return [...new Set(ids.map((id) => (aliases.get(id) ?? id) as SessionId))];
  }

  /** Undefined if the state folder has no record of it. */
  async recorded(id: SessionId): Promise<RecordedSession | undefined> {
    const { records, servers, events, redactor } = this.#settings;
    const loaded = await records.load(id);
    if (loaded === undefined) return undefined;
    const { options, firstPrompt } = loaded;
    // Everything else that is shown was redacted when it was saved.
    const record = {
      ...loaded,
      firstPrompt: firstPrompt && redactor.redact(firstPrompt),
      options: { ...options, title: options.title && redactor.redact(options.title) },
    };
    const open = await openTurnOf(record, servers);
    return {
      // The next server that loads the session writes the same.
      record: open.owner === 'gone' ? cutOff(record, record.updatedAt) : record,
      serverPid: open.owner === 'elsewhere' ? open.pid : undefined,
      events: await events.read(id),
    };
  }

  async onDisk(id: SessionId): Promise<DiskOnlySession | undefined> {
    const { files } = await this.#index.find();
    const file = files.find(({ sessionId }) => sessionId === id);
    if (file === undefined) return undefined;
    const [session] = await this.#index.describe([file]);
    return session && { ...session, lastUsedAt: file.modifiedAt, messages: await this.#lastMessages(id) };
  }

  async owners(claudeSessionId: string): Promise<Owners> {
    const { locks, claudeHome, startTimeOf, descendantsOf } = this.#settings;
    const holder = await locks.holderOf(claudeSessionId);
    // Between turns, a server keeps a Claude Code ready. It notices when the conversation continues elsewhere.
    const resting = holder === undefined ? [] : await descendantsOf(holder.pid);
    const ownPids = new Set(resting.map(({ pid }) => pid));
    const owner = await findLiveOwner({ claudeHome, claudeSessionId, startTimeOf, ownPids });
    return { holderPid: holder?.pid, claudePid: owner?.pid };
  }

  async #lastMessages(id: string): Promise<readonly LastMessage[]> {
    const { claudeHome, redactor } = this.#settings;
    const path = await findTranscript(claudeHome, id);
    if (path === undefined) return [];
    const page = await readMessages(path, { order: 'newest', offset: 0, limit: 4 * maxMessages });
    return page.messages
      .flatMap(({ role, text }) =>
        role === 'tool_result' || text === '' ? [] : [{ role, text: redactor.redact(text) }],
      )
      .slice(0, maxMessages)
      .toReversed();
  }
}
