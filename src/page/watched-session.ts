import { parseSessionId, type SessionId } from '../core/ids.js';
import type { Session } from '../session/session.js';
import type { SessionManager } from '../sessions/session-manager.js';
import type { CallInput } from './call-inputs.js';
import type { Calls } from './contract.js';
import { placePrompts, readAfter, readBefore, type EarlierPrompt, type TimelinePage } from './timeline.js';

export interface WatchedPage extends TimelinePage {
  /** The page has events that are not on record here, and must forget what it shows. */
  readonly isReset: boolean;
}

/** How many events one message carries. */
const chunk = 200;

/** The events of the session on display, from a cursor on. */
export class WatchedSession {
  readonly id: SessionId;
  readonly #sessions: SessionManager;
  #session: Session | undefined;
  #earlier: readonly EarlierPrompt[] | undefined;
  #cursor: number;

  constructor(sessions: SessionManager, id: string, after: number) {
    this.id = parseSessionId(id);
    this.#sessions = sessions;
    this.#cursor = after;
  }

  get cursor(): number {
    return this.#cursor;
  }

  /** Another server runs it, which sends no news to this one. */
  get isElsewhere(): boolean {
    return this.#session?.view.elsewhere !== undefined;
  }

  /** What has happened since the last call. */
  async read(): Promise<WatchedPage> {
    const { view } = (this.#session = await this.#sessions.findToShow(this.id));
    // A session that began here has noted all of its prompts.
    this.#earlier ??= view.isRestored ? await this.#sessions.controls.transcripts.prompts(this.id) : [];
    const isReset = Math.floor(this.#cursor) > view.log.head;
    const page = readAfter(view, placePrompts(view, this.#earlier), isReset ? 0 : this.#cursor, chunk);
    this.#cursor = page.cursor;
    return { ...page, isReset };
  }
}

/** Older events of a session, before those that the page has. */
export async function olderEvents(
  { sessionId, before, limit }: CallInput<'events'>,
  sessions: SessionManager,
): Promise<Calls['events']['output']> {
  const id = parseSessionId(sessionId);
  const { view } = await sessions.findToShow(id);
  const earlier = view.isRestored ? await sessions.controls.transcripts.prompts(id) : [];
  return readBefore(view, placePrompts(view, earlier), before, limit);
}
