import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StdioWire, type WireLimits } from '../../src/transports/stdio-wire.js';

const ping = (id: number | string): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;
const pong = (id: number | string) => ({ jsonrpc: '2.0' as const, id, result: {} });

/** A connection whose client reads only what the test lets through. */
async function connect(limits?: WireLimits) {
  const input = new PassThrough();
  const written: string[] = [];
  let release: (() => void) | undefined;
  let isHeld = false;
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk.toString());
      if (isHeld) release = done;
      else done();
    },
  });
  const logs: unknown[] = [];
  const wire = new StdioWire({ input, output }, { log: (...line) => logs.push(line) }, limits);
  const received: unknown[] = [];
  let closings = 0;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no EventTarget
  wire.onmessage = (message) => received.push('id' in message ? message.id : message);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no EventTarget
  wire.onclose = () => (closings += 1);
  await wire.start();
  return {
    wire,
    input,
    output,
    received,
    logs,
    answers: () => written.map((line): unknown => JSON.parse(line)),
    closings: () => closings,
    hold: () => (isHeld = true),
    release: () => {
      isHeld = false;
      release?.();
    },
  };
}

describe('the wire', () => {
  it('delivers good messages, answers bad requests, and logs what it does not deliver', async () => {
    const { input, received, logs, answers } = await connect();

    input.write(`${ping(1)}{"jsonrpc":"2.0","id":2}\n\n{"jsonrpc":"1.0","method":"x"}\n${ping('3')}`);
    await nextTurn();

    expect(received).toEqual([1, '3']);
    expect(answers()).toEqual([
      { jsonrpc: '2.0', id: 2, error: { code: -32_600, message: 'Invalid request: method is missing.' } },
    ]);
    expect(logs).toEqual([
      ['debug', 'a message was not accepted', { reason: 'method is missing.' }],
      ['debug', 'a message was not accepted', { reason: 'Invalid notification: jsonrpc must be "2.0".' }],
    ]);
  });

  it('answers a message over the limit under its id and reads on', async () => {
    const mebibyte = 1_048_576;
    const { input, received, logs, answers } = await connect({ line: mebibyte, unread: 1, waiting: 1 });

    input.write(
      `{"method":"x","params":{"text":"${'x'.repeat(2 * mebibyte)}"},"jsonrpc":"2.0","id":9}\n${ping(1)}`,
    );
    await nextTurn();

    expect(received).toEqual([1]);
    const message = 'Invalid request: The message is longer than 1 MiB.';
    expect(answers()).toEqual([{ jsonrpc: '2.0', id: 9, error: { code: -32_600, message } }]);
    expect(logs[0]).toEqual(['warn', 'The message is longer than 1 MiB.']);
  });

  it('delivers a last line without a newline, lets it be answered, and then closes', async () => {
    const { wire, input, answers, closings } = await connect();

    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no EventTarget
    wire.onmessage = () => void Promise.resolve().then(() => wire.send(pong(1)));

    input.end(ping(1).trim());
    await wire.closed;

    expect(answers()).toEqual([pong(1)]);
    expect(closings()).toBe(1);
  });

  it.each(['input ends', 'input fails', 'input closes', 'output fails', 'output closes', 'server closes'])(
    'closes once when the %s, and refuses to send',
    async (cause) => {
      const { wire, input, output, closings } = await connect();

      if (cause === 'input ends') input.end();
      if (cause === 'input fails') input.destroy(new Error('EIO'));
      if (cause === 'input closes') input.destroy();
      if (cause === 'output fails') output.destroy(new Error('EPIPE'));
      if (cause === 'output closes') output.destroy();
      if (cause === 'server closes') await wire.close();
      await wire.closed;
      await wire.close();

      expect(closings()).toBe(1);
      await expect(wire.send(pong(1))).rejects.toThrow('The connection is closed.');
    },
  );

  it('closes at once when the input has already ended', async () => {
    const input = new PassThrough();
    input.destroy();
    const wire = new StdioWire({ input, output: new PassThrough() }, { log: () => undefined });

    await wire.start();

    await expect(wire.closed).resolves.toBeUndefined();
  });
});

describe('a client that does not read', () => {
  const limits = { line: 1_000_000, unread: 50_000, waiting: 2_000 };
  const long = { jsonrpc: '2.0' as const, id: 'long', result: { text: 'x'.repeat(100_000) } };

  it('has its messages wait, then the server stops reading, until the client reads again', async () => {
    const { wire, input, received, hold, release } = await connect(limits);
    hold();
    const sent = wire.send(long);

    for (let id = 0; id < 5; id += 1) input.write(ping(id));
    await nextTurn();
    const whileWaiting = { received: [...received], isPaused: input.isPaused() };
    for (let id = 5; id < 10; id += 1) input.write(ping(id));
    await nextTurn();
    const whenFull = { received: [...received], isPaused: input.isPaused() };
    release();
    await sent;
    await nextTurn();

    expect(whileWaiting).toEqual({ received: [], isPaused: false });
    expect(whenFull).toEqual({ received: [], isPaused: true });
    expect(received).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(input.isPaused()).toBe(false);
  });

  it('is noticed when it leaves, and what waits to be sent fails', async () => {
    const { wire, input, received, hold } = await connect(limits);
    hold();
    const sent = wire.send(long);

    input.end(ping(1));

    await expect(sent).rejects.toThrow('The connection is closed.');
    await wire.closed;
    expect(received).toEqual([]);
  });
});
