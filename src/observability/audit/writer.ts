import type { Audit, AuditEntry } from '../../core/observability/audit.js';
import { AppError, messageOf } from '../../core/errors.js';
import { cutMiddle } from '../../core/text/escape.js';
import type { Logger } from '../../core/observability/logger.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { formatHead, type ChainHead } from './chain.js';
import { redactRecord } from '../../core/observability/redact-record.js';

/** Implemented by AuditFile. */
export interface AuditLines {
  readonly head: ChainHead;
  /** Throws when the entry could not be written. */
  append(entry: object): void;
  close(): void;
}

export interface FileAuditSettings {
  readonly path: string;
  readonly lines: AuditLines;
  /** Whether to refuse operations that cannot be recorded. */
  readonly isRequired: boolean;
  readonly logger: Logger;
  readonly redactor: Redactor;
}

/** Number of lines between two log lines with the head. */
const headEvery = 100;
const maxTextChars = 300;
/** More than the entries of any option, so that no rule is missing: an entry shows what was allowed. */
const maxItems = 200;

/** Redacts and truncates entries, and decides what happens when they cannot be written. */
export class FileAudit implements Audit {
  readonly #settings: FileAuditSettings;
  #lost = 0;
  #isBroken = false;
  #isClosed = false;
  #toldAt: number;

  constructor(settings: FileAuditSettings) {
    this.#settings = settings;
    this.#toldAt = settings.lines.head.seq;
  }

  record(entry: AuditEntry): void {
    if (!this.#write(entry)) this.#lost += 1;
  }

  recordOrThrow(entry: AuditEntry): void {
    if (this.#write(entry)) return;
    if (this.#settings.isRequired) throw unwritable(this.#settings.path);
    this.#lost += 1;
  }

  /** Logs the head. Kept on another machine, it exposes a truncated file even if the attacker has the key. */
  tellHead(): void {
    const { logger, lines, path } = this.#settings;
    this.#toldAt = lines.head.seq;
    logger.log('info', 'audit head', { file: path, head: formatHead(lines.head) });
  }

  close(): void {
    this.tellHead();
    this.#isClosed = true;
    this.#settings.lines.close();
  }

  #write(entry: AuditEntry): boolean {
    const { lines, redactor, logger, path } = this.#settings;
    // Events after the shutdown appear in the server log only.
    if (this.#isClosed) return false;
    try {
      if (this.#lost > 0) {
        lines.append({ what: 'entries_lost', count: this.#lost });
        this.#lost = 0;
      }
      lines.append(shortened(redactRecord(entry, redactor)) as object);
    } catch (error) {
      // Logged once, because a full disk would otherwise flood the server log.
      if (!this.#isBroken)
        logger.log('error', 'the audit log cannot be written', { file: path, reason: messageOf(error) });
      this.#isBroken = true;
      return false;
    }
    if (this.#isBroken) logger.log('warn', 'the audit log can be written again', { file: path });
    this.#isBroken = false;
    if (lines.head.seq - this.#toldAt >= headEvery) this.tellHead();
    return true;
  }
}

function unwritable(path: string): AppError {
  return new AppError('audit_unwritable', { path });
}

/** An entry records the action, not all of its data. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return cutMiddle(value, maxTextChars);
  if (Array.isArray(value)) return [...value.slice(0, maxItems).map(shortened), ...noteAbout(value.length)];
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries([
    ...entries.slice(0, maxItems).map(([key, inner]) => [cutMiddle(key, maxTextChars), shortened(inner)]),
    ...noteAbout(entries.length).map((note) => [note, '']),
  ]);
}

/** Without this note, a caller could hide an entry behind many others. */
function noteAbout(count: number): readonly string[] {
  return count <= maxItems ? [] : [`…[${count - maxItems} entries hidden]…`];
}
