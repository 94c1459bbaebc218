/** The expected answer to a line, computed independently of the server. */
import { isUtf8 } from 'node:buffer';

/** The ids of the answers; undefined stands for an answer without an id. */
export function expectedIds(line: Buffer): readonly (string | number | undefined)[] {
  const text = line.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [undefined];
  }
  const anonymous = [undefined];
  const ids = (Array.isArray(value) ? value : [value]).flatMap(waitingId);
  if (Array.isArray(value) || !isUtf8(line)) return ids.length > 0 ? ids : anonymous;
  if (typeof value !== 'object' || value === null) return anonymous;
  if (isResponse(value)) return [];
  const { id, method } = value as { id?: unknown; method?: unknown };
  if (id === undefined) return method === undefined ? anonymous : [];
  if (id === null && String(method).startsWith('notifications/')) return [];
  return ids.length > 0 ? ids : anonymous;
}

function isResponse(value: object): boolean {
  return !Object.hasOwn(value, 'method') && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));
}

function waitingId(value: unknown): (string | number)[] {
  if (typeof value !== 'object' || value === null || isResponse(value)) return [];
  const { id } = value as { id?: unknown };
  if (typeof id === 'number') return Math.abs(id) <= Number.MAX_SAFE_INTEGER ? [id] : [];
  return typeof id === 'string' && !id.includes('\uFFFD') ? [id] : [];
}

/**
 * The id of a damaged line with too many levels. It is refused before it is parsed, so its id counts if the damage leaves
 * an outline from which it can be read.
 */
export function idOfDamaged(line: Buffer): readonly string[] {
  const [head = '', ...levels] = line.toString('utf8').split('{"a":');
  const isDeep = levels.length > 200 && expectedIds(line)[0] === undefined;
  // Ids of lines consist of two numbers.
  return isDeep ? [...head.matchAll(/"id":"(\d+-\d+)"/g)].map(([, id = '']) => id) : [];
}
