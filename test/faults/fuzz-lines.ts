/** Lines that a client could send: valid and almost valid envelopes, damaged bytes, and noise. */
import * as fc from 'fast-check';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const methods = [
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'server/discover',
  'initialize',
  'tasks/get',
  'roots/list',
  'sampling/createMessage',
  'resources/subscribe',
  'rpc.x',
  'toString',
  '__proto__',
  '',
  'x'.repeat(5e3),
  5,
  null,
  {},
  ['ping'],
  true,
];

const toolCalls = [
  { name: 'claude_code_session', arguments: { action: 'list' } },
  { name: 'claude_code_check', arguments: { sessionId: 'x' } },
  { name: 'claude_code', arguments: null },
  { name: 'claude_code', arguments: [] },
  { name: 'claude_code', arguments: 'prompt' },
  { name: 'claude_code_session', arguments: { action: 'list' }, inputResponses: { a: 1 }, requestState: 'x' },
  { name: 'claude_code_session', arguments: { action: 'list' }, requestState: 5 },
  { name: 'toString', arguments: {} },
  { name: '__proto__' },
  { name: 5 },
  {},
];

const metas = [
  {
    ...meta,
    progressToken: 1,
  },
  undefined,
  null,
  5,
  'x',
  [],
  {},
  { progressToken: null },
  { progressToken: 0.5 },
  { progressToken: {} },
  { 'io.modelcontextprotocol/related-task': 1 },
  {
    ...meta,
    'io.modelcontextprotocol/protocolVersion': '1999-01-01',
  },
  { 'io.modelcontextprotocol/protocolVersion': 5 },
];

const params = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    [],
    5,
    'x',
    {},
    { uri: 'x' },
    { uri: 5 },
    { name: null },
    { level: 'loud' },
  ),
  fc
    .tuple(fc.constantFrom(...toolCalls), fc.oneof(fc.constant(meta), fc.constantFrom(...metas)))
    .map(([call, _meta]) => ({ ...call, _meta })),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The id is that of the line, so that each answer can be matched to its line. */
const envelope = (id: string) =>
  fc.record(
    {
      jsonrpc: fc.oneof(
        { weight: 9, arbitrary: fc.constant('2.0') },
        { weight: 1, arbitrary: fc.constantFrom('1.0', 2, null) },
      ),
      id: fc.oneof(
        { weight: 9, arbitrary: fc.constant(id) },
        { weight: 1, arbitrary: fc.constantFrom(null, 2 ** 60, {}, [], true) },
      ),
      method: fc.constantFrom(
        ...methods,
        'notifications/initialized',
        'notifications/x',
        'notifications/progress',
      ),
      params,
      result: fc.constantFrom({}, null, 5),
      error: fc.constantFrom({ code: 1, message: 'x' }, {}, null),
      extra: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: ['method'] },
  );

/** Usually a request, because most optional keys of an envelope make it something else. */
const request = (id: string) =>
  fc
    .record({ method: fc.constantFrom(...methods), params })
    .map(({ method, params }) => ({ jsonrpc: '2.0', id, method, params }));

/** Requests that get past the envelope in either era. */
const call = (id: string) =>
  fc
    .tuple(fc.constantFrom('tools/call', 'tools/list', 'resources/read'), fc.constantFrom(...toolCalls))
    .map(([method, params]) => ({
      jsonrpc: '2.0',
      id,
      method,
      params: { uri: 'x', ...params, _meta: meta },
    }));

const text = (id: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: call(id).map((value) => JSON.stringify(value)) },
    { weight: 6, arbitrary: request(id).map((value) => JSON.stringify(value)) },
    { weight: 5, arbitrary: envelope(id).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.array(envelope(id), { maxLength: 1 }).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', ' ', '\t', '\0', '{', '}', '[]', 'null', '"', '{"id":', '1e999'),
    },
    {
      weight: 1,
      arbitrary: fc
        .nat(20_000)
        .map((depth) => `{"jsonrpc":"2.0","id":"${id}","method":"ping","params":${nested(depth)}}`),
    },
  );

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}`;

const dressing = fc.constantFrom(
  (line: string) => line,
  (line: string) => line,
  (line: string) => `${line}\r`,
  (line: string) => `\uFEFF${line}`,
  (line: string) => ` ${line}\t`,
  (line: string) => line.replace('{', '{"__proto__":{"method":"ping"},'),
  (line: string) => line.replace('{', '{"id":"first","method":5,'),
);

/** One line without its newline. */
export function lineOf(id: string): fc.Arbitrary<Buffer> {
  const whole = fc.tuple(text(id), dressing).map(([line, dress]) => Buffer.from(dress(line)));
  const damaged = fc.tuple(whole, fc.nat(10_000), fc.nat(255)).map(([line, at, byte]) => {
    const copy = Buffer.from(line);
    if (copy.length > 0) copy[at % copy.length] = byte === 0x0a ? 0x20 : byte;
    return copy;
  });
  const torn = fc.tuple(whole, fc.nat(10_000)).map(([line, at]) => line.subarray(0, at % (line.length + 1)));
  const noise = fc
    .uint8Array({ maxLength: 80 })
    .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0a)));
  return fc.oneof(
    { weight: 10, arbitrary: whole },
    { weight: 2, arbitrary: damaged },
    { weight: 1, arbitrary: torn },
    { weight: 1, arbitrary: noise },
  );
}
