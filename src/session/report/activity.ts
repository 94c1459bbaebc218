import type { SessionEvent } from '../../core/session/events.js';
import { firstLine } from '../../core/text/escape.js';
import { TextTail } from '../../core/text/text-tail.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { quoteSummary, quoteWords } from '../../inputs/quote.js';

const shownChars = 80;
/** Escaping can lengthen a text. */
const escapedChars = 2 * shownChars;
const keptWritingChars = 4_000;

type TellingEvent = Extract<SessionEvent, { type: 'text' | 'thinking' | 'status' }>;

/** What Claude is doing right now, in one line: "`Bash: npm test`, 42 s". Its words are quoted, because errors repeat the line. */
export class Activity {
  readonly #openTools = new Map<string, { readonly summary: string; readonly since: number }>();
  /** Formatted only on demand, because thousands may arrive between two requests. */
  #latest: TellingEvent | undefined;

  readonly #writing: TextTail;

  constructor(redactor: Redactor) {
    this.#writing = new TextTail((text) => redactor.redact(text), keptWritingChars);
  }

  /** The text being written; only the end of a long text. */
  get writing(): string {
    return this.#writing.readWholeWords();
  }

  noteWriting(piece: string): void {
    this.#writing.add(piece);
  }

  note(event: SessionEvent): void {
    if (event.type !== 'status') this.#writing.clear();
    switch (event.type) {
      case 'tool_use':
        this.#openTools.set(event.toolUseId, { summary: event.summary, since: event.at });
        return;
      case 'tool_result':
        this.#openTools.delete(event.toolUseId);
        this.#latest = undefined;
        return;
      case 'result':
      case 'error':
        this.#openTools.clear();
        this.#latest = undefined;
        return;
      case 'text':
      case 'thinking':
      case 'status':
        this.#latest = event;
        return;
      default:
        return;
    }
  }

  line(now: number): string | undefined {
    const [tool] = this.#openTools.values();
    if (tool === undefined && !this.#writing.isEmpty) {
      return `writes ${quoteWords(`…${this.writing.slice(-shownChars).replaceAll('\n', ' ')}`, escapedChars)}`;
    }
    if (tool === undefined) return this.#latest && inWords(this.#latest);
    const more = this.#openTools.size > 1 ? ` (+${this.#openTools.size - 1} more)` : '';
    return `${quoteSummary(firstLine(tool.summary, shownChars), escapedChars)}, ${Math.round((now - tool.since) / 1000)} s${more}`;
  }
}

function inWords(event: TellingEvent): string {
  switch (event.type) {
    case 'thinking':
      return 'thinking';
    case 'text':
      return `says ${quoteWords(firstLine(event.text, shownChars), escapedChars)}`;
    case 'status':
      return firstLine(event.text, 100);
  }
}
