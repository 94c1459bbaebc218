import type { Redactor } from '../core/observability/redactor.js';
import type { ClaudeHome } from './claude-home.js';
import { fewAtOnce } from '../core/few-at-once.js';
import { PromptHistory } from './prompt-history.js';
import { mayHoldSessionsOf } from './project-folder.js';
import { pathOf, TranscriptTable, type FoundTranscripts, type TranscriptFile } from './transcript-files.js';
import type { SessionOrigin } from './transcript-lines.js';
import { SummaryReader } from './transcript-summary.js';

/** A session on disk. Its texts are redacted, then truncated. */
export interface DiskSession {
  /** As Claude Code recorded it. */
  readonly cwd: string;
  readonly title: string | undefined;
  readonly firstPrompt: string | undefined;
  readonly origin: SessionOrigin;
}

const maxTextChars = 300;
/** Bounds memory: an entry takes a few hundred bytes. */
const maxRemembered = 20_000;
const readsAtOnce = 8;

/**
 * All sessions of all projects, including terminal sessions. Each call checks all files, which is cheap, and reads only
 * the requested ones that have changed.
 */
export class SessionIndex {
  readonly #table: TranscriptTable;
  readonly #redactor: Redactor;
  readonly #reader = new SummaryReader();
  readonly #typed: PromptHistory;
  /** Keyed by file object, which is replaced when the file's time or size changes. */
  readonly #remembered = new Map<TranscriptFile, DiskSession | undefined>();
  /** Interned names, because hundreds of sessions share a folder. */
  readonly #folders = new Map<string, string>();

  constructor(claudeHome: ClaudeHome, redactor: Redactor) {
    this.#table = new TranscriptTable(claudeHome);
    this.#redactor = redactor;
    this.#typed = new PromptHistory(claudeHome.historyFile, (text) => this.#keep(text));
  }

  /** The sessions on disk, latest first. With a folder (a real path), only sessions that may belong to it. */
  async find(folder?: string): Promise<FoundTranscripts> {
    await this.#typed.refresh();
    return this.#table.find(folder === undefined ? undefined : mayHoldSessionsOf(folder));
  }

  /** Returns them in the same order. Undefined for a transcript that is empty, damaged or unreadable. */
  describe(files: readonly TranscriptFile[]): Promise<(DiskSession | undefined)[]> {
    return fewAtOnce(files, readsAtOnce, (file) => this.#describe(file));
  }

  async #describe(file: TranscriptFile): Promise<DiskSession | undefined> {
    if (this.#remembered.has(file)) return this.#remembered.get(file);
    const session = await this.#read(file);
    this.#remember(file, session);
    return session;
  }

  async #read(file: TranscriptFile): Promise<DiskSession | undefined> {
    const summary = await this.#reader.read(pathOf(file), file.bytes);
    if (summary === undefined) return undefined;
    const { customTitle, aiTitle, firstPrompt, firstCommand, origin } = summary;
    const title = customTitle ?? aiTitle;
    const words =
      firstPrompt === undefined ? this.#typed.firstWordsOf(file.sessionId) : this.#keep(firstPrompt);
    return {
      cwd: this.#shared(summary.cwd),
      title: title === undefined ? undefined : this.#keep(title),
      firstPrompt: words ?? (firstCommand === undefined ? undefined : this.#keep(firstCommand)),
      origin: origin ?? (this.#typed.has(file.sessionId) ? 'terminal' : 'program'),
    };
  }

  #remember(file: TranscriptFile, session: DiskSession | undefined): void {
    this.#remembered.set(file, session);
    if (this.#remembered.size <= maxRemembered) return;
    for (const oldest of this.#remembered.keys()) {
      this.#remembered.delete(oldest);
      return;
    }
  }

  #shared(folder: string): string {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    if (this.#folders.size >= maxRemembered) this.#folders.clear();
    this.#folders.set(folder, folder);
    return folder;
  }

  /** Redacts before truncating, because half a secret is no longer recognised. */
  #keep(text: string): string {
    const short = this.#redactor.redact(text).slice(0, maxTextChars);
    // Copies, because a slice would keep the whole text in memory.
    return Buffer.from(short, 'utf8').toString('utf8');
  }
}
