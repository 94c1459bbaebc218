type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const replacements: readonly Json[] = [null, true, 1, -0, 1.5, 2 ** 53, '', 'x', '\uD800', [], [[]], {}];

/** Copies of a JSON value that differ from it in one place: another value, no value, or one more member. */
export function* changed(value: Json): Generator<Json> {
  for (const replacement of replacements) yield replacement;
  if (typeof value !== 'object' || value === null) return;
  if (isList(value)) {
    for (const [index, item] of value.entries())
      for (const other of changed(item)) yield value.with(index, other);
    return;
  }
  yield { ...value, extra: 1 };
  // Members that have a meaning in some places, and are wrong in others.
  for (const key of ['extra', 'cursor', 'result', 'task', 'progressToken']) yield { ...value, [key]: {} };
  // As JSON.parse reads it: an ordinary member.
  yield Object.defineProperty({ ...value }, '__proto__', { value: {}, enumerable: true });
  for (const [key, member] of Object.entries(value)) {
    yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    for (const other of changed(member)) yield { ...value, [key]: other };
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

const client = {
  name: 'client',
  version: '1.0.0',
  title: 'A client',
  websiteUrl: 'https://example.com',
  description: 'For tests',
  icons: [{ src: 'https://example.com/icon', mimeType: 'image/png', sizes: ['48x48'] }],
};

const capabilities = {
  roots: { listChanged: true },
  sampling: { context: {}, tools: {} },
  elicitation: { form: { applyDefaults: true }, url: {} },
  experimental: { some: { thing: [1, { a: 'b' }] } },
  extensions: { 'vendor/some': { mimeTypes: ['text/html'] } },
};

const tasks = {
  list: {},
  cancel: {},
  requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
};

/** Messages with every part that the opening reads. */
export const fullMessages = {
  initialize: {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: { ...capabilities, tasks },
      clientInfo: client,
    },
  },
  legacyList: { jsonrpc: '2.0', id: 'a', method: 'tools/list', params: { _meta: { progressToken: 1 } } },
  modernList: {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/list',
    params: {
      _meta: {
        progressToken: 'p',
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': client,
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      },
    },
  },
  initialized: { jsonrpc: '2.0', method: 'notifications/initialized' },
} satisfies Record<string, Json>;
