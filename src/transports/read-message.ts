import { isUtf8 } from 'node:buffer';
import {
  INVALID_REQUEST,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  PARSE_ERROR,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import { isObject, parseJson, type JsonObject } from '../core/json.js';
import { isTooCostly } from '../core/text/json-size.js';
import { Outline } from './outline.js';

/** A message to deliver, or the reason why a line has none, with the answers that the client gets. */
export type Incoming =
  | { readonly message: JSONRPCMessage }
  | { readonly problem: string; readonly answers: readonly JSONRPCErrorResponse[] };

type Id = string | number;

const noUtf8 = 'The message is not valid UTF-8.';
const noJson = 'The line is not valid JSON.';
const noObject = 'A message must be a JSON object.';
const noBatches = 'Batches are not supported. Send each message on a line of its own.';

const tooCostly = 'The message has more than 20,000 values or 200 levels. Shorten its lists and objects.';

/** Answers to more messages than this could be many times as long as the batch. */
const mostAnswers = 100;

/** Reads one line. Returns undefined if it is blank. */
export function readLine(line: Buffer): Incoming | undefined {
  const text = line.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return undefined;
  if (isTooCostly(text)) return refuseLong(outlineOf(text), tooCostly);
  const value = parseJson(text);
  const ids = Array.isArray(value) ? idsOfBatch(value) : idsOf(value);
  if (!isUtf8(line)) return refused(ids, noUtf8, PARSE_ERROR);
  if (value === undefined) return refused([], noJson, PARSE_ERROR);
  if (Array.isArray(value)) return refused(ids, noBatches);
  return isObject(value) ? readObject(value) : refused([], noObject);
}

function outlineOf(text: string): string | undefined {
  const outline = new Outline();
  outline.push(Buffer.from(text));
  return outline.text();
}

/** The refusal of a message of which only the outline is known. */
export function refuseLong(outline: string | undefined, problem: string): Incoming {
  return refused(outline === undefined ? [] : idsOf(parseJson(outline)), problem);
}

function readObject(value: JsonObject): Incoming {
  if (isResponse(value)) return readResponse(value);
  const { id, method } = value;
  if (method === undefined && id === undefined) return refused([], 'method is missing.');
  const message = toRequest(value);
  if (message['id'] === undefined) {
    if (isJSONRPCNotification(message)) return { message };
    return { problem: `Invalid notification: ${problemOf(message)}`, answers: [] };
  }
  const isAmbiguous = 'result' in value || 'error' in value;
  if (!isAmbiguous && isJSONRPCRequest(message)) return { message };
  return refused(idsOf(value), isAmbiguous ? 'A request has no result or error.' : problemOf(message));
}

function readResponse({ jsonrpc, id, result, error }: JsonObject): Incoming {
  const message = {
    jsonrpc,
    ...(id === null ? {} : { id }),
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  };
  return isJSONRPCResponse(message) ? { message } : { problem: 'Invalid response.', answers: [] };
}

/** The parts of a request or notification that the protocol knows. No member of params has a meaning for `null`. */
function toRequest({ jsonrpc, id, method, params }: JsonObject): JsonObject {
  const isNotification =
    id === undefined || (id === null && typeof method === 'string' && method.startsWith('notifications/'));
  return {
    jsonrpc,
    ...(isNotification ? {} : { id }),
    method,
    ...(params === undefined || params === null ? {} : { params: cleanParams(params) }),
  };
}

function cleanParams(params: unknown): unknown {
  const cleaned = withoutNulls(params);
  return isObject(cleaned) && '_meta' in cleaned
    ? { ...cleaned, _meta: withoutNulls(cleaned['_meta']) }
    : cleaned;
}

function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function problemOf({ jsonrpc, id, method, params }: JsonObject): string {
  if (jsonrpc !== '2.0') return 'jsonrpc must be "2.0".';
  if (id !== undefined && !isId(id)) return 'id must be a string or a safe integer.';
  if (method === undefined) return 'method is missing.';
  if (typeof method !== 'string') return 'method must be a string.';
  if (!isObject(params)) return 'params must be an object.';
  const meta = params['_meta'];
  if (!isObject(meta)) return 'params._meta must be an object.';
  return isId(meta['progressToken'] ?? 0)
    ? 'params._meta is invalid.'
    : 'params._meta.progressToken must be a string or a safe integer.';
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isResponse(value: JsonObject): boolean {
  return ('result' in value || 'error' in value) && !('method' in value);
}

/**
 * The id under which the sender waits for an answer, if any. The id of a response is ours, and one that JSON.parse or
 * the decoding has changed could be that of another request.
 */
function idsOf(value: unknown): Id[] {
  if (!isObject(value) || isResponse(value)) return [];
  const { id } = value;
  if (typeof id === 'string') return id.includes('\uFFFD') ? [] : [id];
  return typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER ? [id] : [];
}

function idsOfBatch(values: readonly unknown[]): Id[] {
  return values.length > mostAnswers ? [] : values.flatMap(idsOf);
}

/** MCP leaves an unknown id out. Its clients refuse the `null` of JSON-RPC. */
function refused(ids: readonly Id[], problem: string, code = INVALID_REQUEST): Incoming {
  const kind = code === PARSE_ERROR ? 'Parse error' : 'Invalid request';
  const error = { code, message: `${kind}: ${problem}` };
  const answers = ids.map((id): JSONRPCErrorResponse => ({ jsonrpc: '2.0', id, error }));
  return { problem, answers: answers.length > 0 ? answers : [{ jsonrpc: '2.0', error }] };
}
