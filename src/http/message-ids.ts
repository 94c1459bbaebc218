import type { RequestId } from '@modelcontextprotocol/server';
import { isObject, ownValue } from '../core/json.js';

/** Far longer than a UUID. */
export const maxIdChars = 200;

/** The messages in a body: a batch has several. */
function messagesIn(json: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(json) ? json.filter(isObject) : isObject(json) ? [json] : [];
}

/** Of the requests in a body, each of which is a call. */
export function requestIdsIn(json: unknown): RequestId[] {
  return messagesIn(json)
    .filter((message) => 'method' in message && 'id' in message)
    .map(({ id }) => id as RequestId);
}

/** Whether a message has a long id or progress token. Everything that is sent about a request repeats them. */
export function hasLongId(json: unknown): boolean {
  return messagesIn(json).some((message) =>
    [message['id'], ownValue(message, 'params', '_meta', 'progressToken')].some(
      (id) => typeof id === 'string' && id.length > maxIdChars,
    ),
  );
}
