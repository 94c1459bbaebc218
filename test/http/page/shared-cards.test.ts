import { describe, expect, it } from 'vitest';
import type { Card, StreamMessage } from '../../../src/page/contract.js';
import type { StreamedMessage } from '../../../src/page/desk.js';
import { commandCard } from '../../web/samples.js';
import { headersOf, pageScene } from '../../kit/page-scene.js';

/** A desk whose streams send these messages and then wait. */
function deskThatSends(...messages: readonly StreamMessage[]) {
  return {
    async *stream(): AsyncGenerator<StreamedMessage> {
      for (const message of messages) yield { cursor: '', message };
      await new Promise(() => undefined);
    },
  };
}

describe('a message of the stream', () => {
  it('waits for a turn of its device, like its calls', async () => {
    const senders: string[] = [];
    const { fetch, pair } = pageScene({
      desk: {
        async *stream(_request, _signal, turn) {
          await turn();
          yield { cursor: '', message: { type: 'beat', now: 1 } };
        },
      },
      turns: { next: async (sender) => void senders.push(sender) },
    });
    const { deviceId, ...jar } = await pair();

    await (await fetch('/api/stream', { headers: headersOf(jar) })).text();

    expect(senders).toEqual([JSON.stringify(['owner', `device:${deviceId}`])]);
  });
});

describe('a card in several streams', () => {
  /** A card that counts how often it is serialised. */
  function countedCard(chars: number) {
    const counted = { reads: 0, card: commandCard() };
    const input = {
      get command() {
        counted.reads += 1;
        return 'a'.repeat(chars);
      },
    };
    counted.card = { ...counted.card, input };
    return counted;
  }

  const asked = (card: Card): StreamMessage => ({ type: 'asked', card });
  const inbox = (...cards: readonly Card[]): StreamMessage => ({ type: 'inbox', cards, settled: [] });

  /** The messages of one stream, until it has this many, or ends. */
  async function messagesOf(stream: Response, count: number): Promise<readonly unknown[]> {
    let text = '';
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.split('\n\n').length > count + 1) break;
    }
    return text
      .split('\n\n')
      .filter((event) => event.startsWith('data: '))
      .map((event) => JSON.parse(event.slice('data: '.length)) as unknown);
  }

  it('is serialised once, and arrives as it is', async () => {
    const counted = countedCard(350_000);
    const [first, second] = [commandCard({ requestId: 'r-one' }), commandCard({ requestId: 'r-two' })];
    const { fetch, pair } = pageScene({ desk: deskThatSends(inbox(first, second), asked(counted.card)) });
    const headers = headersOf(await pair());
    const streams = [];
    for (let count = 0; count < 10; count += 1) streams.push(await fetch('/api/stream', { headers }));

    const messages = await Promise.all(streams.map((stream) => messagesOf(stream, 2)));
    const { reads } = counted;

    expect(messages).toEqual(streams.map(() => [inbox(first, second), asked(counted.card)]));
    expect(reads).toBe(1);
  });

  it('is not serialised for a stream that has no room for it', async () => {
    const counted = countedCard(40_000_000);
    const { fetch, pair } = pageScene({ desk: deskThatSends(asked(counted.card)) });
    const headers = headersOf(await pair());
    const reader = (await fetch('/api/stream', { headers })).body?.getReader();
    await reader?.read();
    await reader?.read();
    const { reads } = counted;

    const refused = [];
    for (let count = 0; count < 5; count += 1)
      refused.push(await messagesOf(await fetch('/api/stream', { headers }), 1));

    expect([refused, reads, counted.reads]).toEqual([[[], [], [], [], []], 1, 1]);
  });
});
