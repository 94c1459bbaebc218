import type { StreamMessage } from '../../src/page/contract.js';
import { createSseReader } from './sse.js';

export interface StreamTarget {
  readonly sessionId: string;
  readonly after: number;
}

interface StreamOptions {
  readonly readKey: () => string | undefined;
  /** Asked for each connection. */
  readonly target: () => StreamTarget | undefined;
  readonly onMessage: (message: StreamMessage) => void;
  readonly onLost: () => void;
  readonly onSignedOut: () => void;
}

export interface Stream {
  /** Connects again at once, for another session or because the line seems dead. */
  readonly reconnect: () => void;
  /** Ends a pause between two attempts. */
  readonly wake: () => void;
  /** Closes the connection until `resume`. */
  readonly rest: () => void;
  readonly resume: () => void;
  readonly close: () => void;
}

const longestPauseMs = 10_000;
const longestPauseAttempt = 6;

export function openStream(options: StreamOptions): Stream {
  const life = new AbortController();
  let attempt = 0;
  let cursor: string | undefined;
  let line = new AbortController();
  let endPause = (): void => undefined;
  let rested: Promise<void> | undefined;
  let endRest = (): void => undefined;

  void run();
  return {
    reconnect: () => {
      attempt = 0;
      line.abort();
      endPause();
    },
    wake: () => endPause(),
    rest: () => {
      rested ??= new Promise((resolve) => (endRest = resolve));
      line.abort();
      endPause();
    },
    resume: () => {
      rested = undefined;
      attempt = 0;
      endRest();
    },
    close: () => {
      life.abort();
      line.abort();
      endPause();
      endRest();
    },
  };

  async function run(): Promise<void> {
    while (!life.signal.aborted) {
      if (rested !== undefined) {
        options.onLost();
        await rested;
        continue;
      }
      line = new AbortController();
      const current = line;
      const end = await connect(current.signal).catch(() => 'lost' as const);
      if (life.signal.aborted) return;
      if (end === 'signed_out') return options.onSignedOut();
      if (current.signal.aborted) continue;
      options.onLost();
      await pause();
    }
  }

  async function connect(signal: AbortSignal): Promise<'lost' | 'signed_out'> {
    const key = options.readKey();
    const response = await fetch(`/api/stream?${query()}`, {
      headers: key === undefined ? {} : { 'page-key': key },
      cache: 'no-store',
      signal,
    });
    if (response.status === 401) return 'signed_out';
    if (!response.ok || response.body === null) return 'lost';
    const read = createSseReader();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      attempt = 0;
      for (const { id, data } of read(decoder.decode(chunk.value, { stream: true }))) {
        cursor = id ?? cursor;
        const message = JSON.parse(data) as StreamMessage;
        options.onMessage(message);
        // Connecting again ends the stream of another window, which would end this one at once.
        if (message.type === 'bye' && message.why === 'too_many') attempt = longestPauseAttempt;
      }
    }
    return 'lost';
  }

  function query(): string {
    const target = options.target();
    return new URLSearchParams({
      ...(target !== undefined && { session: target.sessionId, after: String(target.after) }),
      ...(cursor !== undefined && { cursor }),
    }).toString();
  }

  /** Random, so that several pages do not reconnect at the same moment. */
  async function pause(): Promise<void> {
    const limit = Math.min(longestPauseMs, 250 * 2 ** attempt);
    attempt += 1;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limit * (0.5 + Math.random() / 2));
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
