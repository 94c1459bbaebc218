import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Opening } from '../../src/opening/opening.js';
import { OpeningStdio } from '../../src/opening/opening-stdio.js';
import { fullMessages } from './changed-messages.js';

const answers = {
  version: '1.0.0',
  protocolVersions: { legacy: ['2025-06-18'], modern: [] },
  initialize: { protocolVersion: '', serverInfo: {} },
  results: {},
  modern: {},
};
const hello = JSON.stringify(fullMessages.initialize);
const welcome = '{"result":{"protocolVersion":"2025-06-18","serverInfo":{}},"jsonrpc":"2.0","id":1}\n';
const call = '{"jsonrpc":"2.0","id":2,"method":"tools/call"}';

function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { over } = new OpeningStdio({ input, output }, new Opening(answers));
  const ended = async () => ({ opened: await over, written: String(output.read() ?? '') });
  /** What the rest of the server reads and writes. */
  const handedOver = async () => {
    const { opened, written } = await ended();
    if (opened === undefined) throw new Error('The connection has ended.');
    input.end();
    const rest = await opened.input.resume().map(String).toArray();
    return { passed: opened.passed, rest: rest.join(''), written };
  };
  return { input, output, ended, handedOver };
}

describe('an opening', () => {
  it('hands over at the first message that it cannot answer', async () => {
    const { input, handedOver } = open();

    input.write(`${hello}\n${call}\n${hello}\n`);

    expect(await handedOver()).toEqual({
      passed: [{ line: hello, answer: welcome.trim() }],
      rest: `${call}\n${hello}\n`,
      written: welcome,
    });
  });

  it('reads a message that arrives in pieces', async () => {
    const { input, handedOver } = open();
    for (const byte of Buffer.from(`${hello}\n`)) input.write(Buffer.of(byte));

    input.write(`${call}\n`);

    expect(await handedOver()).toMatchObject({ rest: `${call}\n`, written: welcome });
  });

  it.each([
    ['ends', ''],
    ['ends after a message without a newline', hello],
  ])('is over when the input %s', async (_how, text) => {
    const { input, ended } = open();

    input.end(text);

    expect(await ended()).toEqual({ opened: undefined, written: text && welcome });
  });

  it('is over when the client no longer reads', async () => {
    const { output, ended } = open();

    output.destroy(new Error('EPIPE'));

    expect((await ended()).opened).toBeUndefined();
  });

  it('hands over a last message without a newline', async () => {
    const { input, handedOver } = open();

    input.end(call);

    expect(await handedOver()).toEqual({ passed: [], rest: call, written: '' });
  });

  it.each([
    [
      'a line that is not UTF-8',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff), Buffer.from('"}\n')]),
    ],
    ['a long line before its end', Buffer.alloc(10_000, ' ')],
  ])('hands over %s', async (_what, bytes) => {
    const { input, handedOver } = open();

    input.write(bytes);

    expect(await handedOver()).toEqual({ passed: [], rest: bytes.toString(), written: '' });
  });
});
