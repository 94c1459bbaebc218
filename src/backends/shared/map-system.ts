import type { BackendSignal, BackgroundTask } from '../../core/claude/backend.js';
import { firstLine } from '../../core/text/escape.js';
import { asList, asNumber, asText, isObject, type JsonObject } from '../../core/json.js';

type SystemMapper = (message: JsonObject) => readonly BackendSignal[];

const nothing: SystemMapper = () => [];

/** One row per known subtype of a `system` message. */
const mapSubtype: Readonly<Record<string, SystemMapper>> = {
  init: (message) => [
    {
      type: 'init',
      claudeSessionId: asText(message['session_id']) ?? '',
      cwd: asText(message['cwd']),
      model: asText(message['model']),
      tools: textsIn(message['tools']),
      agents: Array.isArray(message['agents']) ? textsIn(message['agents']) : undefined,
      permissionMode: asText(message['permissionMode']) ?? '',
    },
  ],
  session_state_changed: (message) => [
    { type: 'activity', state: message['state'] === 'idle' ? 'idle' : 'running' },
  ],
  status: (message) => {
    const mode = asText(message['permissionMode']);
    if (mode !== undefined) {
      return [{ type: 'mode', permissionMode: mode }, ...status(`Permission mode is now ${mode}`)];
    }
    return message['status'] === 'compacting' ? status('Compacting the conversation') : [];
  },
  api_retry: (message) => [
    { type: 'api_retry', status: asNumber(message['error_status']) },
    ...status(
      `API ${asNumber(message['error_status']) ?? 'connection error'}, retry ${asNumber(message['attempt']) ?? '?'} of ` +
        `${asNumber(message['max_retries']) ?? '?'} in ${Math.round((asNumber(message['retry_delay_ms']) ?? 0) / 1000)} s`,
    ),
  ],
  permission_denied: (message) =>
    status(
      `${asText(message['tool_name']) ?? 'A tool'} was denied without asking: ${line(message['message'])}`,
    ),
  compact_boundary: () => status('The conversation was compacted'),
  model_fallback: (message) =>
    status(`The model fell back to ${asText(message['fallback_model']) ?? 'another model'}`),
  model_refusal_fallback: () => status('The model refused; another model answers'),
  model_refusal_no_fallback: () => status('The model refused'),
  informational: (message) => status(line(message['content'])),
  mirror_error: (message) => status(`The transcript could not be mirrored: ${line(message['error'])}`),
  session_writes_lost: () => status('Claude Code could not write its transcript'),
  task_started: (message) => task(message, 'started', message['description']),
  task_updated: (message) => task(message, 'updated', message['description']),
  task_progress: (message) => task(message, 'progress', message['description']),
  task_notification: (message) => task(message, asText(message['status']) ?? 'ended', message['summary']),
  background_tasks_changed: (message) => [
    { type: 'tasks', tasks: asList(message['tasks']).flatMap(openTask) },
  ],
  hook_started: nothing,
  hook_progress: nothing,
  hook_response: nothing,
  plugin_install: nothing,
  commands_changed: nothing,
  files_persisted: nothing,
  control_request_progress: nothing,
  elicitation_complete: nothing,
  worker_shutting_down: nothing,
  thinking_tokens: nothing,
  local_command_output: nothing,
  memory_recall: nothing,
  notification: nothing,
  session_title_changed: nothing,
};

export function mapSystemMessage(message: JsonObject): readonly BackendSignal[] {
  const subtype = asText(message['subtype']) ?? 'unknown';
  const mapper = Object.hasOwn(mapSubtype, subtype) ? mapSubtype[subtype] : undefined;
  return mapper?.(message) ?? [{ type: 'event', event: { type: 'raw', messageType: `system/${subtype}` } }];
}

function textsIn(value: unknown): string[] {
  return asList(value).filter((entry) => typeof entry === 'string');
}

function status(words: string): readonly BackendSignal[] {
  return [{ type: 'event', event: { type: 'status', text: words } }];
}

function task(message: JsonObject, state: string, words: unknown): readonly BackendSignal[] {
  const taskId = asText(message['task_id']) ?? '';
  return [{ type: 'event', event: { type: 'task', taskId, state, text: line(words) } }];
}

function openTask(value: unknown): BackgroundTask[] {
  if (!isObject(value) || value['ambient'] === true) return [];
  const task = { taskId: asText(value['task_id']) ?? '', text: line(value['description']) };
  return [value['task_type'] === 'local_bash' ? task : { ...task, isAgent: true }];
}

function line(value: unknown): string {
  return firstLine(asText(value) ?? '', 200);
}
