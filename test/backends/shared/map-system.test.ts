import { describe, expect, it } from 'vitest';
import { mapSystemMessage } from '../../../src/backends/shared/map-system.js';

const system = (subtype: unknown, more: object = {}) => ({
  type: 'system',
  subtype,
  session_id: 's1',
  ...more,
});
const status = (text: string) => [{ type: 'event', event: { type: 'status', text } }];

it('reads id, tools and mode from init', () => {
  const message = system('init', {
    tools: ['Bash', 7, 'Read'],
    permissionMode: 'plan',
    model: 'claude-opus-5-5',
    mcp_servers: [],
  });

  expect(mapSystemMessage(message)).toEqual([
    {
      type: 'init',
      claudeSessionId: 's1',
      model: 'claude-opus-5-5',
      tools: ['Bash', 'Read'],
      permissionMode: 'plan',
    },
  ]);
});

it('reports a change of mode, so that the next process starts in it', () => {
  expect(mapSystemMessage(system('status', { permissionMode: 'acceptEdits' }))).toEqual([
    { type: 'mode', permissionMode: 'acceptEdits' },
    { type: 'event', event: { type: 'status', text: 'Permission mode is now acceptEdits' } },
  ]);
});

it.each([
  ['running', 'running'],
  ['requires_action', 'running'],
  ['idle', 'idle'],
])('maps the state %s to %s', (state, activity) => {
  expect(mapSystemMessage(system('session_state_changed', { state }))).toEqual([
    { type: 'activity', state: activity },
  ]);
});

it.each([
  [429, 3, 2_145, 'API 429, retry 3 of 10 in 2 s'],
  [null, 1, 600, 'API connection error, retry 1 of 10 in 1 s'],
])('reports a retry after %s, as an event and as a measurement', (answered, attempt, delay, words) => {
  const message = system('api_retry', {
    attempt,
    max_retries: 10,
    retry_delay_ms: delay,
    error_status: answered,
  });

  expect(mapSystemMessage(message)).toEqual([
    { type: 'api_retry', status: answered ?? undefined },
    ...status(words),
  ]);
});

describe('as text', () => {
  it.each([
    ['status', { status: 'compacting' }, 'Compacting the conversation'],
    [
      'permission_denied',
      { tool_name: 'Bash', message: 'denied by rule\nmore' },
      'Bash was denied without asking: denied by rule',
    ],
    ['compact_boundary', {}, 'The conversation was compacted'],
    ['model_fallback', { fallback_model: 'claude-sonnet-5' }, 'The model fell back to claude-sonnet-5'],
    ['model_refusal_fallback', {}, 'The model refused; another model answers'],
    ['model_refusal_no_fallback', {}, 'The model refused'],
    ['informational', { content: 'Blocked by a hook' }, 'Blocked by a hook'],
    ['mirror_error', { error: 'disk full' }, 'The transcript could not be mirrored: disk full'],
    ['session_writes_lost', {}, 'Claude Code could not write its transcript'],
  ])('%s %j', (subtype, more, text) => {
    expect(mapSystemMessage(system(subtype, more))).toEqual(status(text));
  });

  it('ignores an unknown status', () => {
    expect(mapSystemMessage(system('status', { status: 'requesting' }))).toEqual([]);
  });
});

describe('background work', () => {
  it.each([
    ['task_started', { description: 'npm run dev' }, 'started', 'npm run dev'],
    ['task_updated', { description: 'npm run dev' }, 'updated', 'npm run dev'],
    ['task_progress', { description: 'npm run dev' }, 'progress', 'npm run dev'],
    ['task_notification', { status: 'completed', summary: 'exit code 0' }, 'completed', 'exit code 0'],
    ['task_notification', {}, 'ended', ''],
  ])('%s %j is an event', (subtype, more, state, text) => {
    expect(mapSystemMessage(system(subtype, { task_id: 't1', ...more }))).toEqual([
      { type: 'event', event: { type: 'task', taskId: 't1', state, text } },
    ]);
  });

  it('is listed, subagents as such, without ambient tasks', () => {
    const tasks = [
      { task_id: 't1', description: 'npm run dev', task_type: 'local_bash' },
      { task_id: 't2', description: 'memory', ambient: true },
      { task_id: 't3', description: 'look around', task_type: 'local_agent' },
      'x',
    ];

    expect(mapSystemMessage(system('background_tasks_changed', { tasks }))).toEqual([
      {
        type: 'tasks',
        tasks: [
          { taskId: 't1', text: 'npm run dev' },
          { taskId: 't3', text: 'look around', isAgent: true },
        ],
      },
    ]);
  });

  it('is empty without tasks', () => {
    expect(mapSystemMessage(system('background_tasks_changed', { tasks: [] }))).toEqual([
      { type: 'tasks', tasks: [] },
    ]);
  });
});

it.each([
  'hook_started',
  'hook_progress',
  'hook_response',
  'plugin_install',
  'commands_changed',
  'files_persisted',
  'control_request_progress',
  'elicitation_complete',
  'worker_shutting_down',
  'thinking_tokens',
  'local_command_output',
  'memory_recall',
  'notification',
])('drops %s', (subtype) => {
  expect(mapSystemMessage(system(subtype))).toEqual([]);
});

it.each([
  ['telepathy', 'system/telepathy'],
  ['constructor', 'system/constructor'],
  [null, 'system/unknown'],
])('turns the unknown subtype %j into a raw event', (subtype, messageType) => {
  expect(mapSystemMessage(system(subtype))).toEqual([{ type: 'event', event: { type: 'raw', messageType } }]);
});
