import { isObject, parseJson, type JsonObject } from '../core/json.js';
import {
  isFlag,
  isJsonObject,
  isNumberOrText,
  isText,
  listOf,
  membersOf,
  recordOf,
  type Check,
} from './checks.js';

export type Id = string | number;

/** A message with which clients open a connection. */
export type OpeningMessage =
  | { readonly kind: 'initialize'; readonly id: Id; readonly version: string }
  | { readonly kind: 'initialized' }
  | {
      readonly kind: 'request';
      readonly id: Id;
      readonly method: string;
      /** Of the 2026 protocol, which every request names. */
      readonly version: string | undefined;
    };

/** Longer messages are not read here. */
export const longestLine = 8_192;

const metaKey = 'io.modelcontextprotocol';
const versionKey = `${metaKey}/protocolVersion`;

const isClient = membersOf(
  {
    title: isText,
    websiteUrl: isText,
    description: isText,
    icons: listOf(membersOf({ mimeType: isText, sizes: listOf(isText) }, { src: isText })),
  },
  { name: isText, version: isText },
);

const capabilities: Readonly<Record<string, Check>> = {
  roots: membersOf({ listChanged: isFlag }),
  sampling: membersOf({ context: isJsonObject, tools: isJsonObject }),
  elicitation: membersOf({ form: membersOf({ applyDefaults: isFlag }), url: isJsonObject }),
  experimental: recordOf(isJsonObject),
  extensions: recordOf(isJsonObject),
};

const tasks = membersOf({
  list: isJsonObject,
  cancel: isJsonObject,
  requests: membersOf({
    sampling: membersOf({ createMessage: isJsonObject }),
    elicitation: membersOf({ create: isJsonObject }),
  }),
});

const isInitialize = membersOf(
  {},
  { protocolVersion: isText, capabilities: membersOf({ ...capabilities, tasks }), clientInfo: isClient },
);

const isRequestMeta = membersOf({ progressToken: isNumberOrText });

const isModernMeta = membersOf(
  { progressToken: isNumberOrText, [`${metaKey}/clientInfo`]: isClient },
  { [versionKey]: isText, [`${metaKey}/clientCapabilities`]: membersOf(capabilities) },
);

const isMessage = membersOf({ id: isNumberOrText, params: isObject }, { jsonrpc: isText, method: isText });

/** Undefined for every message whose meaning or validity is not obvious. */
export function readOpeningMessage(line: string): OpeningMessage | undefined {
  const message = parseJson(line);
  if (!isObject(message) || !isMessage(message) || message['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params } = message as { id?: Id; method: string; params?: JsonObject };
  if (id === undefined) return isInitialized(method, params) ? { kind: 'initialized' } : undefined;
  if (method === 'initialize') {
    return isInitialize(params)
      ? { kind: 'initialize', id, version: String(params?.['protocolVersion']) }
      : undefined;
  }
  const meta = metaOf(params);
  if (meta === undefined) return undefined;
  if (!(versionKey in meta))
    return isRequestMeta(meta) ? { kind: 'request', id, method, version: undefined } : undefined;
  return isModernMeta(meta) ? { kind: 'request', id, method, version: String(meta[versionKey]) } : undefined;
}

function isInitialized(method: string, params: JsonObject | undefined): boolean {
  return method === 'notifications/initialized' && Object.keys(params ?? {}).length === 0;
}

/** Undefined if there are other parameters. */
function metaOf(params: JsonObject = {}): JsonObject | undefined {
  const { _meta: meta = {}, ...others } = params;
  return isObject(meta) && Object.keys(others).length === 0 ? meta : undefined;
}
