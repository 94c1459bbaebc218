import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { StreamMessage } from '../../../src/page/contract.js';
import type { Desk, StreamedMessage, StreamRequest } from '../../../src/page/desk.js';
import { deferred } from '../../kit/deferred.js';
import { headersOf, pageScene } from '../../kit/page-scene.js';

const hello: StreamMessage = { type: 'hello', now: 1, version: '1.2.3' };

/** A desk whose stream sends these messages and then waits until it is left. */
function streamingDesk(messages: readonly StreamedMessage[]) {
  const requests: StreamRequest[] = [];
  const [begun, left] = [deferred(), deferred()];
  const desk: Pick<Desk, 'stream'> = {
    async *stream(request, signal) {
      requests.push(request);
      try {
        yield* messages;
        const aborted = once(signal, 'abort');
        begun.resolve();
        if (!signal.aborted) await aborted;
      } finally {
        left.resolve();
      }
    },
  };
  return { desk, requests, begun: begun.promise, left: left.promise };
}

describe('the stream', () => {
  it('sends the messages of the desk as events with a cursor', async () => {
    const { desk, requests } = streamingDesk([
      { cursor: 's:7', message: hello },
      { cursor: '', message: { type: 'beat', now: 2 } },
    ]);
    const { fetch, pair } = pageScene({ desk });

    const answer = await fetch('/api/stream?session=s&after=6.001&cursor=s%3A6', {
      headers: headersOf(await pair()),
    });
    const text = await readUntil(answer, '"beat"');

    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(requests).toEqual([{ sessionId: 's', after: 6.001, cursor: 's:6' }]);
    expect(text).toBe(
      `: stream\n\nid: s:7\ndata: ${JSON.stringify(hello)}\n\ndata: {"type":"beat","now":2}\n\n`,
    );
  });

  it.each(['', '?after=x', '?after=-1', '?session=&after=Infinity'])(
    'begins at the start with %s',
    async (query) => {
      const { desk, requests } = streamingDesk([{ cursor: '', message: hello }]);
      const { fetch, pair } = pageScene({ desk });

      await readUntil(await fetch(`/api/stream${query}`, { headers: headersOf(await pair()) }), 'hello');

      expect(requests).toEqual([{ sessionId: undefined, after: 0, cursor: undefined }]);
    },
  );

  it('ends at once when its device is revoked on the page', async () => {
    const { desk, begun, left } = streamingDesk([{ cursor: '', message: hello }]);
    const { fetch, call, pair } = pageScene({ desk });
    const [mine, other] = [await pair(), await pair()];
    const stream = await fetch('/api/stream', { headers: headersOf(other) });
    const text = stream.text();
    await begun;

    await call('revoke', { deviceId: other.deviceId }, mine);

    expect(await text).toMatch(/data: {"type":"bye","why":"signed_out"}\n\n$/);
    await left;
  });

  it('ends within a second when its device is revoked by a command', async () => {
    const { desk, begun, left } = streamingDesk([{ cursor: '', message: hello }]);
    const { fetch, pair, devices, clock } = pageScene({ desk });
    const jar = await pair();
    const stream = await fetch('/api/stream', { headers: headersOf(jar) });
    const text = stream.text();
    await begun;

    await devices.devices.revoke(({ deviceId }) => deviceId === jar.deviceId);
    clock.advance(1_000);

    expect(await text).toMatch(/data: {"type":"bye","why":"signed_out"}\n\n$/);
    await left;
  });

  it('leaves nothing behind when the page leaves', async () => {
    const { desk, begun, left } = streamingDesk([{ cursor: '', message: hello }]);
    const { fetch, pair, clock, close } = pageScene({ desk });
    const closed = deferred();
    const request = { headers: headersOf(await pair()) };
    const stream = await fetch('/api/stream', request, { closed: closed.promise });
    void stream.text();
    await begun;

    closed.resolve();
    await left;
    await close();

    expect(clock.pendingTimers).toBe(0);
  });

  it('ends with the desk', async () => {
    const bye: StreamMessage = { type: 'bye', why: 'shutdown' };
    const { fetch, pair } = pageScene({
      desk: {
        async *stream() {
          yield { cursor: '', message: bye };
        },
      },
    });

    const answer = await fetch('/api/stream', { headers: headersOf(await pair()) });

    expect(await answer.text()).toBe(`: stream\n\ndata: ${JSON.stringify(bye)}\n\n`);
  });

  it('ends when too much of its principal is unread, and takes no room once it is closed', async () => {
    const bye: StreamMessage = { type: 'bye', why: 'x'.repeat(24_000_000) as 'shutdown' };
    const { desk } = streamingDesk([
      { cursor: '', message: hello },
      { cursor: '', message: bye },
    ]);
    const { fetch, pair } = pageScene({ desk });
    const headers = headersOf(await pair());
    const open = async (closed: Promise<void>) => {
      const reader = (await fetch('/api/stream', { headers }, { closed })).body?.getReader();
      const sizes: unknown[] = [];
      for (let count = 0; count < 3; count += 1)
        sizes.push(((await reader?.read())?.value?.byteLength ?? 0) > 1_000_000);
      return sizes;
    };
    const [never, left] = [new Promise<void>(() => undefined), deferred()];

    const [first, second, third] = [await open(never), await open(left.promise), await open(never)];
    left.resolve();
    await left.promise;
    const fourth = await open(never);

    expect({ first, second, third, fourth }).toEqual({
      first: [false, false, true],
      second: [false, false, true],
      third: [false, false, false],
      fourth: [false, false, true],
    });
  });

  it('counts a message no longer once the page has read it, although no other follows', async () => {
    const bye: StreamMessage = { type: 'bye', why: 'x'.repeat(24_000_000) as 'shutdown' };
    const { desk } = streamingDesk([{ cursor: '', message: bye }]);
    const { fetch, pair } = pageScene({ desk });
    const headers = headersOf(await pair());
    const sizes: boolean[] = [];

    for (let count = 0; count < 4; count += 1) {
      const reader = (await fetch('/api/stream', { headers })).body?.getReader();
      await reader?.read();
      sizes.push(((await reader?.read())?.value?.byteLength ?? 0) > 1_000_000);
      void reader?.read();
    }

    expect(sizes).toEqual([true, true, true, true]);
  });

  it('ends if the desk fails, and the log has the reason', async () => {
    const { fetch, pair, logged } = pageScene({
      desk: {
        stream: () => ({
          [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no such log')) }),
        }),
      },
    });

    const answer = await fetch('/api/stream', { headers: headersOf(await pair()) });

    expect(await answer.text()).toBe(': stream\n\n');
    expect(logged).toEqual([expect.stringContaining('no such log')]);
  });
});

async function readUntil(response: Response, end: string): Promise<string> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes(end)) break;
  }
  return text;
}
