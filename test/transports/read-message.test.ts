import { describe, expect, it } from 'vitest';
import { readLine, refuseLong } from '../../src/transports/read-message.js';

const read = (line: string | Uint8Array): unknown => readLine(Buffer.from(line));
const refusal = (problem: string, ids: readonly (string | number)[] = [], kind = 'Invalid request') => {
  const error = { code: kind === 'Parse error' ? -32_700 : -32_600, message: `${kind}: ${problem}` };
  return {
    problem,
    answers:
      ids.length === 0 ? [{ jsonrpc: '2.0', error }] : ids.map((id) => ({ jsonrpc: '2.0', id, error })),
  };
};
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('a line that deviates harmlessly', () => {
  it.each([
    ['an extra top-level key', { ...ping, trace: 'x' }, ping],
    ['params that are null', { ...ping, params: null }, ping],
    [
      '_meta that is null',
      { ...ping, params: { _meta: null, name: 'x' } },
      { ...ping, params: { name: 'x' } },
    ],
    [
      'arguments that are null',
      { ...ping, method: 'tools/call', params: { name: 'x', arguments: null } },
      { ...ping, method: 'tools/call', params: { name: 'x' } },
    ],
    [
      'a progress token that is null',
      { ...ping, params: { _meta: { progressToken: null, a: 1 } } },
      { ...ping, params: { _meta: { a: 1 } } },
    ],
    [
      'a notification whose id is null',
      { jsonrpc: '2.0', id: null, method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ],
    [
      'a response with an extra key',
      { jsonrpc: '2.0', id: 1, result: { a: null }, trace: 'x' },
      { jsonrpc: '2.0', id: 1, result: { a: null } },
    ],
    [
      'an error whose id is null',
      { jsonrpc: '2.0', id: null, error: { code: -1, message: 'x' } },
      { jsonrpc: '2.0', error: { code: -1, message: 'x' } },
    ],
  ])('is served: %s', (_name, sent, message) => {
    expect(read(JSON.stringify(sent))).toEqual({ message });
  });

  it.each([
    ['a byte order mark', `\uFEFF${JSON.stringify(ping)}`],
    ['a carriage return', `${JSON.stringify(ping)}\r`],
    [
      'duplicate keys, of which the last counts',
      '{"jsonrpc":"1.0","jsonrpc":"2.0","id":7,"id":1,"method":"ping"}',
    ],
    ['a __proto__ key', '{"__proto__":{"method":"x"},"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ])('is served with %s', (_name, line) => {
    expect(read(line)).toEqual({ message: ping });
  });

  it('keeps a __proto__ key of params as a plain key', () => {
    const incoming = readLine(
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":null,"__proto__":{"a":1}}}'),
    );

    expect(JSON.stringify(incoming)).toBe(
      '{"message":{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{"a":1}}}}',
    );
    expect(Object.prototype).not.toHaveProperty('a');
  });

  it.each(['', ' ', '\r', '\t \r', '\uFEFF'])('is skipped when it is blank: %j', (line) => {
    expect(read(line)).toBeUndefined();
  });
});

describe('an invalid request', () => {
  it.each([
    ['no jsonrpc', { id: 1, method: 'ping' }, refusal('jsonrpc must be "2.0".', [1])],
    ['another jsonrpc', { ...ping, jsonrpc: '1.0' }, refusal('jsonrpc must be "2.0".', [1])],
    ['no method', { jsonrpc: '2.0', id: 'a' }, refusal('method is missing.', ['a'])],
    ['a method that is no text', { ...ping, method: 5 }, refusal('method must be a string.', [1])],
    ['a fractional id', { ...ping, id: 1.5 }, refusal('id must be a string or a safe integer.', [1.5])],
    ['an id of null', { ...ping, id: null }, refusal('id must be a string or a safe integer.')],
    ['an id that is an object', { ...ping, id: {} }, refusal('id must be a string or a safe integer.')],
    ['params in a list', { ...ping, params: [1] }, refusal('params must be an object.', [1])],
    [
      '_meta that is text',
      { ...ping, params: { _meta: 'x' } },
      refusal('params._meta must be an object.', [1]),
    ],
    [
      'a fractional progress token',
      { ...ping, params: { _meta: { progressToken: 0.5 } } },
      refusal('params._meta.progressToken must be a string or a safe integer.', [1]),
    ],
    [
      'a bad related task',
      { ...ping, params: { _meta: { 'io.modelcontextprotocol/related-task': 1 } } },
      refusal('params._meta is invalid.', [1]),
    ],
    [
      'a result besides the method',
      { ...ping, result: {} },
      refusal('A request has no result or error.', [1]),
    ],
    ['neither method nor id', {}, refusal('method is missing.')],
    ['no object', 'text', refusal('A message must be a JSON object.')],
    ['null', null, refusal('A message must be a JSON object.')],
  ])('is refused under its id: %s', (_name, sent, expected) => {
    expect(read(JSON.stringify(sent))).toEqual(expected);
  });

  it.each(['12345678901234567890', '-9007199254740993', '1e400'])(
    'is refused without an id that JSON numbers cannot carry: %s',
    (id) => {
      expect(read(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).toEqual(
        refusal('id must be a string or a safe integer.'),
      );
    },
  );

  it('is refused once for each id of a batch, and once without an id if the batch has none', () => {
    const problem = 'Batches are not supported. Send each message on a line of its own.';

    expect(read(JSON.stringify([ping, { ...ping, id: 'b' }, { jsonrpc: '2.0', method: 'x' }]))).toEqual(
      refusal(problem, [1, 'b']),
    );
    expect(read('[]')).toEqual(refusal(problem));
    expect(read('[1, [2], {"jsonrpc":"2.0","id":3,"result":{}}]')).toEqual(refusal(problem));
  });

  it.each([
    ['values', `[${'0,'.repeat(20_000)}0]`],
    ['nested lists', '['.repeat(9_000) + ']'.repeat(9_000)],
    ['nested objects', '{"a":'.repeat(9_000) + '0' + '}'.repeat(9_000)],
  ])('is refused with its id if it has too many %s', (_what, many) => {
    expect(read(`{"jsonrpc":"2.0","method":"ping","params":{"many":${many}},"id":1}`)).toEqual(
      refusal('The message has more than 20,000 values or 200 levels. Shorten its lists and objects.', [1]),
    );
  });

  it('is refused once without an id in a batch of more than 100 messages', () => {
    const problem = 'Batches are not supported. Send each message on a line of its own.';
    const batchOf = (length: number): string =>
      JSON.stringify(Array.from({ length }, (_, id) => ({ ...ping, id })));

    expect(read(batchOf(101))).toEqual(refusal(problem));
    expect(read(batchOf(100))).toEqual(refusal(problem, [...Array(100).keys()]));
  });

  it.each(['{', 'hello', '\0', '{"id":1,}', '"\u0001"', '['.repeat(150)])(
    'is refused as unparsable: %j',
    (line) => {
      expect(read(line)).toEqual(refusal('The line is not valid JSON.', [], 'Parse error'));
    },
  );

  it('is refused when it is not UTF-8, under its id unless the id is damaged', () => {
    const withByte = (before: string, after: string): Buffer =>
      Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(after)]);

    expect(read(withByte('{"jsonrpc":"2.0","id":1,"method":"', '"}'))).toEqual(
      refusal('The message is not valid UTF-8.', [1], 'Parse error'),
    );
    expect(read(withByte('{"jsonrpc":"2.0","id":"', '","method":"ping"}'))).toEqual(
      refusal('The message is not valid UTF-8.', [], 'Parse error'),
    );
  });
});

describe('an invalid message that expects no answer', () => {
  it.each([
    ['a notification', { jsonrpc: '1.0', method: 'x' }, 'Invalid notification: jsonrpc must be "2.0".'],
    [
      'a notification with a list',
      { jsonrpc: '2.0', method: 'x', params: [] },
      'Invalid notification: params must be an object.',
    ],
    ['a result that is no object', { jsonrpc: '2.0', id: 1, result: 5 }, 'Invalid response.'],
    [
      'a response with both',
      { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } },
      'Invalid response.',
    ],
    ['an error without a code', { jsonrpc: '2.0', id: 1, error: {} }, 'Invalid response.'],
  ])('is not answered: %s', (_name, sent, problem) => {
    expect(read(JSON.stringify(sent))).toEqual({ problem, answers: [] });
  });
});

describe('a message that is too long', () => {
  it('is refused under the id of its outline, unless it is a response or has no outline', () => {
    expect(refuseLong('{"id":5,"method":"ping","params":{}}', 'Too long.')).toEqual(
      refusal('Too long.', [5]),
    );
    expect(refuseLong('{"id":5,"result":{}}', 'Too long.')).toEqual(refusal('Too long.'));
    expect(refuseLong('xxxx', 'Too long.')).toEqual(refusal('Too long.'));
    expect(refuseLong(undefined, 'Too long.')).toEqual(refusal('Too long.'));
  });
});
