/** Asks the server itself for the answers to the first requests of clients. The build stores them in `dist/openings`. */
import {
  isJSONRPCResultResponse,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCMessage,
  type McpServerFactory,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createApp } from '../src/app/app.js';
import { answersName } from '../src/app/opening/read-answers.js';
import { loadSettings } from '../src/config/load.js';
import type { JsonObject } from '../src/core/json.js';
import { createRedactor } from '../src/observability/redact/redact.js';
import type { OpeningAnswers } from '../src/opening/opening.js';

/** Flags of the settings for which answers are stored. With others, the server starts as well, only later. */
export const openingFlags: readonly Readonly<Record<string, string>>[] = [
  ...['async', 'sessions', 'query', 'codex', 'async,query', 'async,view'].map((toolsets) => ({ toolsets })),
  { toolsets: 'async', 'check-responds': '1' },
];

const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'ping'];
const client = { name: 'build', version: '1.0.0' };

/** The answers by the name of their file. */
export async function captureOpenings(version: string): Promise<Record<string, OpeningAnswers>> {
  const captured = openingFlags.map(async (flags) => {
    const { name, factory } = await openingApp(flags, version);
    return [name, await capture(factory, version)] as const;
  });
  return Object.fromEntries(await Promise.all(captured));
}

/** The server with these flags, without sessions. */
export async function openingApp(
  flags: Readonly<Record<string, string>>,
  version: string,
): Promise<{ readonly name: string; readonly factory: McpServerFactory }> {
  const { settings } = loadSettings(flags, {});
  const name = answersName(settings, 0);
  if (name === undefined) throw new Error(`No answers can be stored for ${JSON.stringify(flags)}`);
  const { factory } = await createApp({
    settings,
    version,
    logger: { log: () => undefined },
    audit: undefined,
    redactor: createRedactor({}),
    environment: {},
    executable: undefined,
    pageFolder: '',
    watchdog: '',
    userProbe: '',
    home: '/',
    cwd: '/',
    depth: 0,
  });
  return { name, factory };
}

async function capture(factory: McpServerFactory, version: string): Promise<OpeningAnswers> {
  const legacy: string[] = [];
  let initialize: JsonObject = {};
  for (const protocolVersion of SUPPORTED_PROTOCOL_VERSIONS) {
    const params = { protocolVersion, capabilities: {}, clientInfo: client };
    const [answer] = await ask(factory, [{ method: 'initialize', params }]);
    if (answer?.['protocolVersion'] !== protocolVersion) continue;
    legacy.push(protocolVersion);
    initialize = answer;
  }
  const [oldest = ''] = legacy;
  const params = { protocolVersion: oldest, capabilities: {}, clientInfo: client };
  const [, ...old] = await ask(factory, [
    { method: 'initialize', params },
    ...methods.map((method) => ({ method })),
  ]);
  const modernMethods = ['server/discover', ...methods];
  const modern = await ask(
    factory,
    modernMethods.map((method) => ({ method, params: { _meta: envelope } })),
  );
  const results = entriesOf(methods, old);
  const modernResults = entriesOf(modernMethods, modern);
  const { 'server/discover': discover = {} } = modernResults;
  return {
    version,
    protocolVersions: { legacy, modern: [modernVersion] },
    initialize,
    results: { ...results, 'server/discover': discover },
    modern: Object.fromEntries(
      Object.entries(modernResults).map(([method, result]) => [method, added(results[method], result)]),
    ),
  };
}

const modernVersion = '2026-07-28';
const envelope = {
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientInfo': client,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The results of one connection, in the order of the requests. Undefined for an error. */
async function ask(
  factory: McpServerFactory,
  requests: readonly { readonly method: string; readonly params?: Record<string, unknown> }[],
): Promise<readonly (JsonObject | undefined)[]> {
  let resolve: (message: JSONRPCMessage) => void = () => undefined;
  const transport: Transport = {
    start: async () => undefined,
    send: async (message) => resolve(message),
    close: async () => undefined,
  };
  const connection = serveStdio(factory, { transport });
  const results: (JsonObject | undefined)[] = [];
  for (const [id, request] of requests.entries()) {
    const answered = new Promise<JSONRPCMessage>((settle) => (resolve = settle));
    transport.onmessage?.({ jsonrpc: '2.0', id, ...request });
    const answer = await answered;
    results.push(isJSONRPCResultResponse(answer) ? parsed(answer.result) : undefined);
  }
  await connection.close();
  return results;
}

/** As a client reads it: without members that are undefined. */
function parsed(result: object): JsonObject {
  return JSON.parse(JSON.stringify(result)) as JsonObject;
}

function entriesOf(
  names: readonly string[],
  results: readonly (JsonObject | undefined)[],
): Record<string, JsonObject> {
  return Object.fromEntries(
    names.flatMap((name, index) => (results[index] === undefined ? [] : [[name, results[index]]])),
  );
}

/** The members that only the second result has. */
function added(first: JsonObject | undefined, second: JsonObject): JsonObject {
  if (first === undefined) return {};
  return Object.fromEntries(Object.entries(second).filter(([key]) => !Object.hasOwn(first, key)));
}
