import { isUuid } from '../core/ids.js';
import { AppError } from '../core/errors.js';
import { cardOf, type CardDependencies } from './cards.js';
import type { Card, SessionRow, StreamMessage } from './contract.js';
import type { StreamedMessage, StreamRequest } from './desk.js';
import { StreamReader, type Due } from './reader.js';
import { liveRow, rowOf } from './rows.js';
import { fromBroker } from './settlements.js';
import { WatchedSession, watchStart } from './watched-session.js';
import type { Turn } from '../core/text/in-parts.js';

export interface StreamDependencies extends CardDependencies {
  readonly version: string;
  readonly turn: Turn;
}

/** How many sessions a connection begins with. */
const maxFirstRows = 200;
/** Who answered while the page was not connected. */
const maxLastSettled = 100;
/** How often a session is read again that another server runs. */
const rereadMs = 1_000;

/** The state at first, then every change, until the signal aborts or the server shuts down. */
export async function* streamTo(
  request: StreamRequest,
  signal: AbortSignal,
  deps: StreamDependencies,
): AsyncGenerator<StreamedMessage> {
  const { sessions, version, turn } = deps;
  const watched = watchedIn(request, deps);
  const reader = new StreamReader(sessions.clock, watched?.id);
  // It listens before the state is read, so nothing is lost in between.
  const stopListening = sessions.news.listen(reader);
  const sent = (message: StreamMessage): StreamedMessage => ({
    cursor: watched?.cursor ?? '',
    message,
  });
  try {
    yield sent({ type: 'hello', now: sessions.clock.now(), version });
    await turn();
    const first = sessions.list().slice(0, maxFirstRows);
    yield sent({ type: 'sessions', rows: first.map(({ view }) => rowOf(view)) });
    for (let due = await reader.next(signal); due !== undefined; due = await reader.next(signal)) {
      await turn();
      if (signal.aborted) return;
      const message = await messageFor(due, { deps, reader, watched });
      if (message !== undefined) yield sent(message);
      if (due.type === 'bye') return;
    }
  } finally {
    stopListening();
    reader.close();
  }
}

interface Streaming {
  readonly deps: StreamDependencies;
  readonly reader: StreamReader;
  readonly watched: WatchedSession | undefined;
}

/** Undefined if there is nothing to say after all. */
async function messageFor(due: Due, streaming: Streaming): Promise<StreamMessage | undefined> {
  const { deps, reader, watched } = streaming;
  const { sessions, turn } = deps;
  switch (due.type) {
    case 'inbox': {
      const requests = sessions.approvals.broker.openFor();
      reader.noteInbox(requests);
      const cards: Card[] = [];
      for (const request of requests) {
        if (cards.length > 0) await turn();
        cards.push(await cardOf(request, deps, turn));
      }
      const settled = sessions.approvals.broker.lastSettled(maxLastSettled).map(fromBroker);
      return { type: 'inbox', cards, settled };
    }
    case 'asked':
      return { type: 'asked', card: await cardOf(due.request, deps, turn) };
    case 'settled':
      return due;
    case 'rows': {
      const rows = due.ids
        .map((id) => liveRow(sessions, id))
        .filter((row): row is SessionRow => row !== undefined);
      return rows.length === 0 ? undefined : { type: 'sessions', rows };
    }
    case 'events':
      return eventsFor(streaming);
    case 'beat':
      watched?.touch();
      return { type: 'beat', now: sessions.clock.now() };
    case 'bye':
      return { type: 'bye', why: 'shutdown' };
  }
}

async function eventsFor({ reader, watched }: Streaming): Promise<StreamMessage | undefined> {
  if (watched === undefined) return undefined;
  const page = await watched.read().catch((error: unknown) => {
    // The session no longer exists. The stream continues without it.
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (page === undefined) return undefined;
  if (!page.isWhole) reader.noteEvents();
  else if (watched.isElsewhere) reader.lookAgainIn(rereadMs);
  const { events, dropped, isReset } = page;
  if (events.length === 0 && dropped === 0 && !isReset) return undefined;
  return { type: 'events', sessionId: watched.id, events, dropped, ...(isReset ? { isReset } : {}) };
}

function watchedIn(
  { sessionId, after, cursor }: StreamRequest,
  { sessions, turn }: StreamDependencies,
): WatchedSession | undefined {
  if (sessionId === undefined || !isUuid(sessionId)) return undefined;
  return new WatchedSession(sessions, sessionId, watchStart(sessionId, after, cursor), turn);
}
