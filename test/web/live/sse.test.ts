import { describe, expect, it } from 'vitest';
import { createSseReader } from '../../../web/live/sse.js';

describe('server-sent events', () => {
  const text = 'id: 1\ndata: {"a":1}\n\n: comment\n\nid: 2\r\ndata: first\r\ndata: second\r\n\r\n';
  const messages = [
    { id: '1', data: '{"a":1}' },
    { id: '2', data: 'first\nsecond' },
  ];

  it('are read from one piece', () => {
    expect(createSseReader()(text)).toEqual(messages);
  });

  it('are read from single characters', () => {
    const read = createSseReader();

    expect(text.split('').flatMap((char) => read(char))).toEqual(messages);
  });
});
