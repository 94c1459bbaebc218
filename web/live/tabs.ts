/** What one tab of the page says to the others of this browser. */
type News = 'mine' | 'signed_out';

interface Tab {
  /** Gives the stream up. */
  readonly rest: () => void;
  /** Opens it again. */
  readonly resume: () => void;
  readonly signOut: () => void;
}

export interface Tabs {
  /** This tab has a stream from now on. */
  readonly join: () => void;
  /** Its stream is alive. */
  readonly keep: () => void;
  /** It has none any more, and leaves the connection to others. */
  readonly leave: () => void;
  readonly tellSignedOut: () => void;
}

/** The server sends a beat every ten seconds. */
const silenceLimitMs = 30_000;
/** One of several tabs is first. */
const longestDelayMs = 10_000;

/**
 * A browser opens six connections to a server, for all of its tabs together, and each stream takes one. With a stream in
 * every tab, the seventh would not load, and no answer could be sent. So of the tabs that nobody sees, only the one that
 * was seen last has a stream, for its notifications. When it falls silent, another takes its place.
 */
export function shareConnections({ rest, resume, signOut }: Tab): Tabs {
  const channel = new BroadcastChannel('tabs');
  let hasJoined = false;
  let isResting = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (news: News): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
    channel.postMessage(news);
  };
  const take = (): void => {
    clearTimeout(timer);
    if (isResting) resume();
    isResting = false;
    tell('mine');
  };

  channel.addEventListener('message', ({ data }: MessageEvent<News>) => {
    if (data === 'signed_out') return signOut();
    if (!document.hidden || !hasJoined) return;
    clearTimeout(timer);
    timer = setTimeout(take, silenceLimitMs + Math.random() * longestDelayMs);
    if (isResting) return;
    isResting = true;
    rest();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && hasJoined) take();
  });
  return {
    join: () => {
      hasJoined = true;
      take();
    },
    keep: () => {
      if (!isResting) tell('mine');
    },
    leave: () => {
      clearTimeout(timer);
      hasJoined = false;
      isResting = false;
    },
    tellSignedOut: () => tell('signed_out'),
  };
}
