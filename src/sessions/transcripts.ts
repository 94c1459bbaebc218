import { AppError } from '../core/errors.js';
import type { SessionId } from '../core/ids.js';
import type { Redactor } from '../core/observability/redactor.js';
import type { TranscriptMessage } from '../history/message-line.js';
import { readMessages, type MessagePage, type PageRequest } from '../history/message-page.js';
import { readMessageText, readOutput, readPrompts, type TranscriptPrompt } from '../history/messages.js';
import type { RecordedChange } from '../history/agent-calls.js';
import { readChanges, readToolCall, type RecordedCall } from '../history/tool-records.js';
import {
  TranscriptTimelines,
  type ItemRange,
  type TimelineItems,
} from '../history/timeline/transcript-timeline.js';
import type { TranscriptItem } from '../history/timeline/timeline-line.js';
import type { SessionOrigin } from '../history/session-origin.js';
import { findTranscript } from '../history/transcript.js';
import { mayReadForeign, refuseForeignReading } from '../policy/foreign.js';
import type { PolicySettings } from '../policy/settings.js';
import { Turns } from '../files/turns.js';
import type { FolderSettings } from './options/folder-facts.js';
import type { Session } from '../session/session.js';

export type { MessagePage, RecordedCall, TranscriptItem };

export interface TranscriptSettings {
  readonly folders: FolderSettings;
  readonly policy: PolicySettings;
  readonly redactor: Redactor;
  readonly findIfKnown: (id: SessionId) => Promise<Session | undefined>;
  /** Where someone else started a session; undefined if nobody did, or callers may not know. */
  readonly listedOrigin: (id: SessionId) => Promise<SessionOrigin | undefined>;
}

/** Reads Claude Code's transcripts, redacted, within the policy. */
export class Transcripts {
  readonly #settings: TranscriptSettings;
  readonly #timelines = new TranscriptTimelines();
  /** Each can need 200 MB. An agent writes its own transcript, and one principal can send hundreds of calls at once. */
  readonly #changes = new Turns(2);
  /** Each can need 40 MB, and look through the whole file. */
  readonly #long = new Turns(4);

  constructor(settings: TranscriptSettings) {
    this.#settings = settings;
  }

  /** Whether callers may read what was said before this server continued the session. */
  mayRead({ isForeign }: { readonly isForeign: boolean }): boolean {
    return !isForeign || mayReadForeign(this.#settings.policy);
  }

  async page(id: SessionId, page: PageRequest, signal?: AbortSignal): Promise<MessagePage> {
    const read = async (): Promise<MessagePage> => readMessages(await this.#path(id), page);
    const { messages, ...rest } = await this.#long.run(read, signal);
    return { messages: messages.map((message) => redacted(message, this.#settings.redactor)), ...rest };
  }

  /** One whole message, with the inputs of the tools that it calls. */
  async message(id: SessionId, messageId: string, signal?: AbortSignal): Promise<string> {
    const read = async () => readMessageText(await this.#path(id), messageId);
    const text = await this.#long.run(read, signal);
    if (text === undefined) throw new AppError('message_unknown', { messageId });
    return this.#settings.redactor.redact(text);
  }

  /** Everything that Claude has said. */
  async output(id: SessionId, signal?: AbortSignal): Promise<string> {
    const output = await this.#long.run(async () => readOutput(await this.#path(id)), signal);
    return this.#settings.redactor.redact(output);
  }

  /** One tool call with its result; undefined if the conversation has none with this id. */
  async toolCall(id: SessionId, toolUseId: string): Promise<RecordedCall | undefined> {
    const call = await this.#long.run(async () => readToolCall(await this.#path(id), toolUseId));
    return call && this.#settings.redactor.redactValue(call);
  }

  /** Uses the files that the session changed, with their text before the first change. */
  withChanges<T>(id: SessionId, use: (changes: readonly RecordedChange[]) => Promise<T>): Promise<T> {
    return this.#changes.run(async () => {
      const changes = await readChanges(await this.#path(id));
      // Paths and edits are needed to read the files, and are redacted where they are shown.
      return use(
        changes.map((change) => ({
          ...change,
          original: this.#settings.redactor.redactValue(change.original),
        })),
      );
    });
  }

  /** Everything that happened, with the work of subagents; nothing if callers may not read it. */
  async timeline(id: SessionId, range?: ItemRange): Promise<TimelineItems> {
    const path = await this.#pathIfReadable(id);
    if (path === undefined) return { items: [], first: 0, total: 0 };
    const { items, ...place } = await this.#timelines.read(path, range);
    return { items: this.#settings.redactor.redactValue(items), ...place };
  }

  /** The latest prompts; none if callers may not read them. */
  async prompts(id: SessionId): Promise<readonly TranscriptPrompt[]> {
    const path = await this.#pathIfReadable(id);
    const prompts = path === undefined ? [] : await readPrompts(path);
    return prompts.map(({ at, text }) => ({ at, text: this.#settings.redactor.redact(text) }));
  }

  async #pathIfReadable(id: SessionId): Promise<string | undefined> {
    return this.#path(id).catch((error: unknown) => {
      if (error instanceof AppError) return undefined;
      throw error;
    });
  }

  async #path(id: SessionId): Promise<string> {
    const { findIfKnown, policy } = this.#settings;
    const session = await findIfKnown(id);
    if (session?.view.isForeign === true) refuseForeignReading(policy);
    const path = session === undefined ? await this.#foreignPath(id) : await session.transcriptPath();
    if (path === undefined) throw new AppError('conversation_missing', { sessionId: id });
    return path;
  }

  /** Finds the transcript by its recorded folder, as a resume does. */
  async #foreignPath(id: SessionId): Promise<string | undefined> {
    const { listedOrigin, policy, folders } = this.#settings;
    const origin = await listedOrigin(id);
    // First, because no setting of the operator helps to read a session that does not exist.
    if (origin === undefined) throw new AppError('session_unknown', { sessionId: id });
    refuseForeignReading(policy);
    return findTranscript(folders.claudeHome, id, origin.cwd);
  }
}

/** Redacts the full message before it is truncated: half a secret is no longer recognised. */
function redacted<T extends TranscriptMessage>(message: T, redactor: Redactor): T {
  return { ...message, text: redactor.redact(message.text), tools: redactor.redactValue(message.tools) };
}
