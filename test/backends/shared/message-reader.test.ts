import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { MessageReader } from '../../../src/backends/shared/message-reader.js';
import type { JsonObject } from '../../../src/core/json.js';
import { deferred } from '../../kit/deferred.js';

/** A reader that takes every message at once, except those that are slow. */
function readerOf(output: PassThrough): {
  readonly taken: unknown[];
  readonly ended: Promise<void>;
  readonly release: () => void;
} {
  const slow = deferred();
  const taken: unknown[] = [];
  const { ended } = new MessageReader(output, (message) => {
    taken.push(message);
    return message['slow'] === true ? slow.promise : undefined;
  });
  return { taken, ended, release: () => slow.resolve() };
}

function linesOf(...messages: readonly JsonObject[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

describe('the messages of Claude Code', () => {
  it.each(['null', '42', '[]', '"text"', 'true', 'plain text', '{"half":', '', '  '])(
    'do not include the line %j',
    async (line) => {
      const output = new PassThrough();
      const { taken, ended } = readerOf(output);

      output.end(`{"a":1}\n${line}\n{"b":2}\n`);
      await ended;

      expect(taken).toEqual([{ a: 1 }, { b: 2 }]);
    },
  );

  it('include a last one without a newline', async () => {
    const output = new PassThrough();
    const { taken, ended } = readerOf(output);

    output.end('{"a":1}\n{"b":2}');
    await ended;

    expect(taken).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('wait for one that takes a while, in order', async () => {
    const output = new PassThrough();
    const { taken, release } = readerOf(output);
    output.write(linesOf({ a: 1 }, { b: 2, slow: true }, { c: 3 }, { d: 4, slow: true }, { e: 5 }));
    await vi.waitFor(() => expect(taken).toEqual([{ a: 1 }, { b: 2, slow: true }]));

    release();

    const all = [{ a: 1 }, { b: 2, slow: true }, { c: 3 }, { d: 4, slow: true }, { e: 5 }];
    await vi.waitFor(() => expect(taken).toEqual(all));
  });

  it('are left in the pipe while one takes a while', async () => {
    const output = new PassThrough();
    const { taken, release } = readerOf(output);
    output.write(linesOf({ a: 1, slow: true }));
    await vi.waitFor(() => expect(taken).toHaveLength(1));

    output.write(linesOf({ b: 2 }));
    await nextTurn();

    expect(output.readableLength).toBeGreaterThan(0);
    release();
    await vi.waitFor(() => expect(taken).toEqual([{ a: 1, slow: true }, { b: 2 }]));
    expect(output.readableLength).toBe(0);
  });

  it('end when the last was taken, even if the output was closed before', async () => {
    const output = new PassThrough();
    const { taken, ended, release } = readerOf(output);
    output.write(linesOf({ a: 1, slow: true }, { b: 2 }));
    await vi.waitFor(() => expect(taken).toHaveLength(1));
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));

    output.destroy(new Error('the pipe broke'));
    await nextTurn();

    expect(hasEnded).toBe(false);
    release();
    await ended;
    expect(taken).toEqual([{ a: 1, slow: true }, { b: 2 }]);
  });
});
