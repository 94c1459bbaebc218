import { isObject, type JsonObject } from '../../core/json.js';

export function isType(message: unknown, type: string): boolean {
  return isObject(message) && message['type'] === type;
}

function isSystem(message: unknown, subtype: string): message is JsonObject {
  return isObject(message) && message['type'] === 'system' && message['subtype'] === subtype;
}

/** Removes the socket of the process and the folders of its user, which callers must not see. */
export function withoutPrivate(message: unknown): unknown {
  if (!isSystem(message, 'init')) return message;
  const { messaging_socket_path: _socket, memory_paths: _memory, ...rest } = message;
  return rest;
}

/** What an answer shows of the first message, which otherwise takes the room of many others. */
export function inBrief(message: unknown): unknown {
  if (!isSystem(message, 'init')) return message;
  const { type, subtype, uuid, cwd, model, permissionMode } = message;
  return { type, subtype, uuid, cwd, model, permissionMode };
}

/**
 * Whether Claude Code retries although the API rejected the credentials twice. The first retry is useful, because a
 * token may have been renewed. Further retries cannot succeed.
 */
export function isHopelessRetry(message: unknown): boolean {
  if (!isSystem(message, 'api_retry')) return false;
  const { error_status: status, attempt } = message;
  return status === 401 && typeof attempt === 'number' && attempt > 1;
}
