import type { AttachmentFacts } from '../../core/claude/attachment.js';
import type { Clock } from '../../core/clock.js';
import type { EventBody, SessionEvent } from '../../core/session/events.js';
import type { Meter } from '../../core/observability/measurements.js';
import type { Redactor } from '../../core/observability/redactor.js';
import type { TurnReport, TurnResult } from '../../core/session/turn-result.js';
import type { EventLog } from '../../events/event-log.js';
import { Activity } from './activity.js';
import { ChangedFiles } from './changed-files.js';
import { redactEvent, redactReport } from './redacted.js';
import { PromptNotes } from './prompt-notes.js';
import { attachedFiles, toEvent } from './reports.js';
import { toTurnResult, type Totals } from '../budget/totals.js';
import { TurnMeter, type TurnMark } from './turn-meter.js';

export interface FeedDependencies {
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly meter: Meter;
}

export interface FeedSeed {
  readonly log: EventLog;
  readonly lastResult?: TurnResult | undefined;
  readonly keep?: ((event: SessionEvent) => void) | undefined;
}

/**
 * Receives every event with the backend's raw message, which is not redacted. The event is undefined if only the state
 * changed.
 */
export type SessionListener = (event: SessionEvent | undefined, raw: unknown) => void;

/** Receives every message of processes that start from now on, redacted but otherwise unchanged. */
export type MessageListener = (message: unknown) => void;

/** A prompt as the session receives it. */
interface NotedPrompt {
  readonly uuid: string;
  readonly text: string;
  readonly attachments?: readonly AttachmentFacts[] | undefined;
}

/** What a session publishes, redacted: its events, its current activity, its last result, and its listeners. */
export class SessionFeed {
  readonly log: EventLog;
  lastResult: TurnResult | undefined;
  /** The seq of the event that announced `lastResult`. */
  lastResultSeq: number;
  readonly prompts: PromptNotes;
  readonly #keep: FeedSeed['keep'];
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #activity: Activity;
  readonly #changed = new ChangedFiles();
  readonly #turns: TurnMeter;
  readonly #listeners = new Set<SessionListener>();
  readonly #messageListeners = new Set<MessageListener>();

  /** `lastResult`: that of a turn on an earlier server. `keep` takes every event to disk. */
  constructor({ log, lastResult, keep }: FeedSeed, { clock, redactor, meter }: FeedDependencies) {
    this.log = log;
    this.#keep = keep;
    this.lastResult = lastResult;
    this.lastResultSeq = log.head;
    this.#clock = clock;
    this.#redactor = redactor;
    this.prompts = new PromptNotes(redactor);
    this.#activity = new Activity(redactor);
    this.#turns = new TurnMeter(meter, clock);
  }

  activity(): string | undefined {
    return this.#activity.line(this.#clock.now());
  }

  get writing(): string {
    return this.#activity.writing;
  }

  noteWriting(piece: string): void {
    this.#activity.noteWriting(piece);
  }

  subscribe(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onMessage(listener: MessageListener): () => void {
    this.#messageListeners.add(listener);
    return () => this.#messageListeners.delete(listener);
  }

  /** Passes messages to the listeners; undefined while there are none, so that redaction costs nothing. */
  get passOn(): MessageListener | undefined {
    if (this.#messageListeners.size === 0) return undefined;
    return (message) => {
      if (this.#messageListeners.size === 0) return;
      const shown = this.#redactor.redactValue(message);
      for (const listener of this.#messageListeners) listener(shown);
    };
  }

  /** `turn` is the running turn, or the number of the last one. */
  tell(body: EventBody, turn: TurnMark | number, raw?: unknown): void {
    redactEvent(body, this.#redactor);
    const isRunning = typeof turn === 'object';
    if (isRunning) this.#turns.heard(body, turn);
    const event = this.log.append(body, this.#clock.now(), isRunning ? turn.number : turn);
    this.#keep?.(event);
    this.#activity.note(event);
    this.#changed.note(event);
    this.stateChanged(event, raw);
  }

  /** Notes a prompt before the session works on it. */
  notePrompt({ uuid, text, attachments = [] }: NotedPrompt, turn: number): void {
    const isNew = this.prompts.note({ uuid, text, turn, at: this.#clock.now(), afterSeq: this.log.head });
    if (isNew && attachments.length > 0)
      this.tell({ type: 'status', text: attachedFiles(attachments) }, turn);
  }

  tellResult(unredacted: TurnReport, turn: TurnMark, totals: Totals): void {
    this.#turns.ended(unredacted, turn);
    const report = redactReport(unredacted, this.#redactor);
    const changedFiles = this.#changed.take();
    this.lastResult = {
      ...toTurnResult(report, turn.number, totals),
      ...(changedFiles.length === 0 ? {} : { changedFiles }),
    };
    this.lastResultSeq = this.log.head + 1;
    this.tell(toEvent(report), turn.number);
  }

  stateChanged(event?: SessionEvent, raw?: unknown): void {
    for (const listener of this.#listeners) listener(event, raw);
  }
}
