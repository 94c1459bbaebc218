import { setImmediate as otherWork } from 'node:timers/promises';
import { parseSessionId, type SessionId } from '../core/ids.js';
import type { Session } from '../session/session.js';
import type { SessionView } from '../session/session-view.js';
import type { SessionManager } from '../sessions/session-manager.js';
import type { CallInput } from './call-inputs.js';
import type { Calls } from './contract.js';
import { readDiskEvents } from './disk-timeline.js';
import {
  maxMessageChars,
  placePrompts,
  promptBody,
  readAfter,
  readBefore,
  showInTurns,
  type EarlierEvent,
  type TimelinePage,
} from './timeline.js';
import type { Turn } from '../core/text/in-parts.js';

export interface WatchedPage extends TimelinePage {
  /** The page has events that are not on record here, and must forget what it shows. */
  readonly isReset: boolean;
}

/** What the page has of a session. */
export interface WatchStart {
  readonly after: number;
  /** They are events of a transcript, which has its own numbers. */
  readonly isOnDisk: boolean;
}

/** How many events one message carries. */
const chunk = 200;
/** How much of the transcript is shown before the events of a session that someone else started. */
const maxEarlier = 400;

/** The events of the session on display, from a cursor on. */
export class WatchedSession {
  readonly id: SessionId;
  readonly #sessions: SessionManager;
  #session: Session | undefined;
  #earlier: readonly EarlierEvent[] | undefined;
  #at: WatchStart;

  readonly #turn: Turn;

  constructor(sessions: SessionManager, id: string, start: WatchStart, turn: Turn) {
    this.id = parseSessionId(id);
    this.#sessions = sessions;
    this.#at = start;
    this.#turn = turn;
  }

  /** For the page, which sends it back when it connects again. */
  get cursor(): string {
    return `${this.id}:${this.#at.after}${this.#at.isOnDisk ? diskMark : ''}`;
  }

  /** Another server runs it, which sends no news to this one. */
  get isElsewhere(): boolean {
    return this.#session?.view.elsewhere !== undefined;
  }

  /** Keeps it in memory while a page shows it. */
  touch(): void {
    this.#session?.touch();
  }

  /** What has happened since the last call. */
  async read(): Promise<WatchedPage> {
    const known = await this.#sessions.findIfKnown(this.id);
    this.#session = known ?? (await this.#sessions.findToShow(this.id));
    return known === undefined ? this.#readDisk() : this.#readLog(known.view);
  }

  async #readLog(view: SessionView): Promise<WatchedPage> {
    this.#earlier ??= await earlierEvents(view, this.#sessions, this.#turn);
    const { after, isOnDisk } = this.#at;
    const isReset = (isOnDisk && after > 0) || Math.floor(after) > view.log.head;
    const page = await readAfter(view, placePrompts(view, this.#earlier), {
      after: isReset ? 0 : after,
      limit: chunk,
      turn: this.#turn,
    });
    this.#at = { after: page.cursor, isOnDisk: false };
    return { ...page, isReset };
  }

  async #readDisk(): Promise<WatchedPage> {
    const { transcripts } = this.#sessions.controls;
    const { total } = await transcripts.timeline(this.id);
    const isReset = Math.floor(this.#at.after) > total;
    const after = isReset ? 0 : Math.floor(this.#at.after);
    const part = { after, limit: chunk, turn: this.#turn, maxChars: maxMessageChars };
    const page = await readDiskEvents(transcripts, this.id, part);
    this.#at = { after: page.cursor, isOnDisk: true };
    // Without progress, as when the file cannot be read any more, the page waits for news.
    return { ...page, isWhole: page.cursor === after || page.cursor >= total, isReset };
  }
}

const diskMark = ':disk';

/** The cursor of the last message counts if it is of the same session: the page may not know its last events. */
export function watchStart(sessionId: string, after: number, cursor = ''): WatchStart {
  const [of, seq] = cursor.split(':');
  const last = of === sessionId ? Number(seq) : 0;
  return {
    after: Math.max(0, after, Number.isFinite(last) ? last : 0),
    isOnDisk: of === sessionId && cursor.endsWith(diskMark),
  };
}

/** Older events of a session, before those that the page has. */
export async function olderEvents(
  { sessionId, before, limit }: CallInput<'events'>,
  sessions: SessionManager,
): Promise<Calls['events']['output']> {
  const id = parseSessionId(sessionId);
  const known = await sessions.findIfKnown(id);
  if (known === undefined) {
    await sessions.findToShow(id);
    const part = { before, limit, turn: otherWork };
    const { events } = await readDiskEvents(sessions.controls.transcripts, id, part);
    return { events, dropped: 0 };
  }
  const { view } = known;
  const prompts = placePrompts(view, await earlierEvents(view, sessions, otherWork));
  return readBefore(view, prompts, { before, limit, turn: otherWork });
}

/** A session that began here has noted all of its prompts. */
async function earlierEvents(
  view: SessionView,
  { controls: { transcripts } }: SessionManager,
  turn: Turn,
): Promise<readonly EarlierEvent[]> {
  if (view.isForeign) {
    const { events } = await readDiskEvents(transcripts, view.id, {
      before: Infinity,
      limit: maxEarlier,
      turn,
    });
    return events;
  }
  if (!view.isRestored) return [];
  const prompts = await transcripts.prompts(view.id);
  return showInTurns(
    prompts.map(({ at, text }) => ({ show: () => ({ at, body: promptBody(text) }) })),
    turn,
  );
}
