import { isObject, type JsonObject } from '../../core/json.js';

export function isType(message: unknown, type: string): boolean {
  return isObject(message) && message['type'] === type;
}

function isSystem(message: unknown, subtype: string): message is JsonObject {
  return isObject(message) && message['type'] === 'system' && message['subtype'] === subtype;
}

/** Without the ways into the process and the folders of its user, which are no part of what Claude says. */
export function withoutPrivate(message: unknown): unknown {
  if (!isSystem(message, 'init')) return message;
  const { messaging_socket_path: _socket, memory_paths: _memory, ...rest } = message;
  return rest;
}

/**
 * Whether Claude Code tries again although the API has refused who asks. Once is right: a token may have been renewed
 * in between. A key does not become better by asking ten times.
 */
export function isHopelessRetry(message: unknown): boolean {
  if (!isSystem(message, 'api_retry')) return false;
  const { error_status: status, attempt } = message;
  return status === 401 && typeof attempt === 'number' && attempt > 1;
}

/** How many subagents work in the background, where a message tells; when one has finished Claude goes on by itself. */
export function backgroundAgents(message: unknown): number | undefined {
  if (!isSystem(message, 'background_tasks_changed') || !Array.isArray(message['tasks'])) return undefined;
  return message['tasks'].filter(
    (task) => isObject(task) && task['ambient'] !== true && task['task_type'] !== 'local_bash',
  ).length;
}
