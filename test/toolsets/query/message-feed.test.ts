import { describe, expect, it } from 'vitest';
import {
  maxWaitingChars,
  MessageFeed,
  type FeedReader,
  type SentMessage,
} from '../../../src/toolsets/query/message-feed.js';
import { deferred } from '../../kit/deferred.js';

function message(name: string, chars = 10) {
  return { kind: 'message', level: 'info', message: name, at: 1, chars } as const;
}

function createReader(): FeedReader & { readonly sent: SentMessage[]; readonly lines: string[] } {
  const sent: SentMessage[] = [];
  const lines: string[] = [];
  return {
    sent,
    lines,
    message: async (one) => void sent.push(one),
    line: async (text) => void lines.push(text),
  };
}

describe('a feed', () => {
  it('sends one after the other, and the next when the last is taken', async () => {
    const feed = new MessageFeed();
    const taken = deferred();
    const sent: unknown[] = [];
    feed.attach({
      message: (one) => {
        sent.push(one.message);
        return taken.promise;
      },
      line: undefined,
    });

    feed.add(message('one'));
    feed.add(message('two'));
    const before = [...sent];
    taken.resolve();
    await feed.flush();

    expect(before).toEqual(['one']);
    expect(sent).toEqual(['one', 'two']);
  });

  it('keeps what nobody hears for the next call, and goes on counting', async () => {
    const feed = new MessageFeed();
    const first = createReader();
    const second = createReader();

    feed.attach(first);
    feed.add(message('one'));
    await feed.flush();
    feed.detach(first);
    feed.add(message('two'));
    feed.attach(second);
    await feed.flush();

    expect(first.sent.map(({ sequence, message }) => [sequence, message])).toEqual([[1, 'one']]);
    expect(second.sent.map(({ sequence, message }) => [sequence, message])).toEqual([[2, 'two']]);
  });

  it('leaves out the oldest when too much waits, and says how many in their place', async () => {
    const feed = new MessageFeed();
    const reader = createReader();
    const half = maxWaitingChars / 2;

    feed.add(message('one', half));
    feed.add({ kind: 'line', text: 'said', at: 1 });
    feed.add(message('two', half));
    feed.add(message('three', half));
    feed.attach(reader);
    await feed.flush();

    expect(reader.sent.map(({ sequence, message }) => [sequence, message])).toEqual([
      [1, { type: 'system', subtype: 'messages_left_out', count: 1 }],
      [2, 'two'],
      [3, 'three'],
    ]);
    expect(reader.lines).toEqual([]);
  });

  it('sends what came while it was about to end', async () => {
    const feed = new MessageFeed();
    const reader = createReader();
    feed.attach(reader);

    feed.add(message('one'));
    await Promise.resolve();
    await Promise.resolve();
    feed.add(message('two'));
    await feed.flush();

    expect(reader.sent.map(({ message }) => message)).toEqual(['one', 'two']);
  });
});
