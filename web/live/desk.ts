import type { Card, PersonAnswer, StreamMessage } from '../../src/page/contract.js';
import type { Action } from './actions.js';
import { createCall, errorOf, type Call } from './calls.js';
import { readKey } from './credentials.js';
import { notify, showBadge } from './notify.js';
import { reduce } from './reduce.js';
import { initialState, openCount, type State } from './state.js';
import { createStore, type Store } from './store.js';
import { openStream, type Stream } from './stream.js';
import { shareConnections } from './tabs.js';

/** How many events of a session are sent at first. Older ones are loaded when a person scrolls up. */
export const firstEvents = 200;

/** The page's side of the conversation with the server. */
export interface Desk {
  readonly store: Store<State, Action>;
  readonly call: Call;
  /** Starts the stream, once this device is signed in. */
  readonly connect: () => void;
  readonly disconnect: () => void;
  readonly answer: (answer: PersonAnswer) => Promise<void>;
  /** Shows the events of this session from now on. */
  readonly watch: (sessionId: string | undefined, head?: number) => void;
}

export function createDesk(openRequest: (requestId: string) => void): Desk {
  const store = createStore<State, Action>(reduce, initialState);
  let stream: Stream | undefined;
  let firstAfter = 0;

  const leave = (): void => {
    stream?.close();
    stream = undefined;
    tabs.leave();
    store.dispatch({ type: 'link', link: 'signed_out', at: Date.now() });
  };
  const tabs = shareConnections({
    rest: () => stream?.rest(),
    resume: () => stream?.resume(),
    signOut: leave,
  });
  const signOut = (): void => {
    leave();
    tabs.tellSignedOut();
  };
  const call = createCall({ readKey, onSignedOut: signOut });

  store.subscribe(() => showBadge(openCount(store.get())));
  setInterval(onTick, 1000);
  globalThis.addEventListener('online', () => revive());
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) revive();
  });

  return {
    store,
    call,
    connect: () => {
      stream?.close();
      store.dispatch({ type: 'link', link: 'connecting', at: Date.now() });
      stream = openStream({ readKey, target, onMessage, onLost, onSignedOut: signOut });
      tabs.join();
    },
    disconnect: signOut,
    answer: async (answer) => {
      store.dispatch({ type: 'sent', answer });
      try {
        const settlement = await call('answer', answer);
        store.dispatch({ type: 'settled', settlement });
      } catch (thrown) {
        store.dispatch({ type: 'failed', requestId: answer.requestId, error: errorOf(thrown) });
      }
    },
    watch: (sessionId, head = 0) => {
      if (store.get().timeline?.sessionId === sessionId) return;
      firstAfter = Math.max(0, head - firstEvents);
      store.dispatch({ type: 'watch', sessionId });
      stream?.reconnect();
    },
  };

  function target(): { sessionId: string; after: number } | undefined {
    const { timeline } = store.get();
    if (timeline === undefined) return undefined;
    return { sessionId: timeline.sessionId, after: Math.floor(timeline.events.at(-1)?.seq ?? firstAfter) };
  }

  function onMessage(message: StreamMessage): void {
    const asked = newCardsIn(message);
    store.dispatch({ type: 'message', message, at: Date.now() });
    if (message.type === 'bye' && message.why === 'signed_out') signOut();
    if (message.type === 'beat') tabs.keep();
    if (document.hidden) for (const card of asked) notify(card, () => openRequest(card.requestId));
  }

  /** Requests that this tab has not seen. Some may have been opened while no tab of this browser was connected. */
  function newCardsIn(message: StreamMessage): readonly Card[] {
    const { hasInbox, requests } = store.get();
    const cards =
      message.type === 'asked' ? [message.card] : message.type === 'inbox' && hasInbox ? message.cards : [];
    return cards.filter(({ requestId }) => !requests.some(({ card }) => card.requestId === requestId));
  }

  function onLost(): void {
    store.dispatch({ type: 'link', link: 'lost', at: Date.now() });
  }

  function onTick(): void {
    const wasStale = store.get().isStale;
    store.dispatch({ type: 'tick', at: Date.now() });
    const { isStale, link } = store.get();
    // A connection that falls silent, for example after sleep, does not report its end.
    if (isStale && !wasStale && link === 'live') stream?.reconnect();
  }

  function revive(): void {
    onTick();
    if (store.get().link === 'lost') stream?.wake();
  }
}
