import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BackendSignal } from '../../../src/core/claude/backend.js';
import { MessageMapper } from '../../../src/backends/shared/map-message.js';
import { blindRedactor, redactorOf } from '../../kit/redactors.js';

const map = (message: unknown): readonly BackendSignal[] =>
  new MessageMapper({ isNewConversation: true, redactor: blindRedactor }).map(message);

const assistant = (block: unknown, more: object = {}): object => ({
  type: 'assistant',
  uuid: 'u1',
  parent_tool_use_id: null,
  session_id: 's1',
  message: { id: 'msg_1', role: 'assistant', content: [block], stop_reason: null },
  ...more,
});

const user = (content: unknown, more: object = {}): object => ({
  type: 'user',
  uuid: 'u2',
  parent_tool_use_id: null,
  message: { role: 'user', content },
  ...more,
});

const seen = (uuid: string): BackendSignal => ({ type: 'message_seen', uuid });

describe('an assistant message', () => {
  it.each([
    ['text', { type: 'text', text: ' hello\n' }, { type: 'text', text: 'hello' }],
    ['thinking', { type: 'thinking', thinking: 'hm', signature: 's' }, { type: 'thinking', text: 'hm' }],
    [
      'a tool call',
      { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls', description: 'Look' } },
      { type: 'tool_use', toolUseId: 'toolu_1', toolName: 'Bash', summary: 'Bash: ls' },
    ],
  ])('becomes %s', (_, block, event) => {
    expect(map(assistant(block))).toEqual([seen('u1'), { type: 'event', event }]);
  });

  it('of a subagent names the call that started it', () => {
    const message = assistant({ type: 'text', text: 'hi' }, { parent_tool_use_id: 'toolu_9' });

    expect(map(message)).toEqual([
      seen('u1'),
      { type: 'event', event: { type: 'text', text: 'hi', agent: 'toolu_9' } },
    ]);
  });

  it.each([
    ['an empty text', { type: 'text', text: ' \n' }],
    ['a block of a kind to come', { type: 'server_tool_use', id: 'x' }],
    ['no block', null],
  ])('with %s emits nothing', (_, block) => {
    expect(map(assistant(block))).toEqual([seen('u1')]);
  });

  it('is truncated in the middle when it is long, with its original length', () => {
    const [, signal] = map(assistant({ type: 'text', text: 'x'.repeat(50_000) }));

    const event = signal?.type === 'event' && signal.event.type === 'text' ? signal.event : undefined;
    expect(event?.text).toHaveLength(16_000);
    expect(event?.text).toContain('characters hidden');
    expect(event?.chars).toBe(50_000);
  });

  it('with an incomplete tool call is still a tool call', () => {
    expect(map(assistant({ type: 'tool_use' }))).toEqual([
      seen('u1'),
      {
        type: 'event',
        event: { type: 'tool_use', toolUseId: '', toolName: 'unknown', summary: 'unknown: {}' },
      },
    ]);
  });
});

describe('a user message', () => {
  it('contains tool results', () => {
    const message = user([
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt', is_error: false },
      {
        type: 'tool_result',
        tool_use_id: 'toolu_2',
        is_error: true,
        content: [{ type: 'text', text: 'no' }, { type: 'image', source: {} }, 'x'],
      },
    ]);

    expect(map(message)).toEqual([
      seen('u2'),
      { type: 'event', event: { type: 'tool_result', toolUseId: 'toolu_1', isError: false, text: 'a.txt' } },
      {
        type: 'event',
        event: { type: 'tool_result', toolUseId: 'toolu_2', isError: true, text: 'no\n[image]\n' },
      },
    ]);
  });

  it('marks the calls that were denied', () => {
    const result = (id: string, isError: boolean) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: 'x',
      is_error: isError,
    });
    const message = user([result('ran', false), result('failed', true), result('denied', true)], {
      tool_result_meta: [
        { id: 'failed', permission_decision: { decision: 'accept' } },
        { id: 'denied', permission_decision: { decision: 'reject', source: 'config' } },
        null,
      ],
    });

    const events = map(message).flatMap((signal) => (signal.type === 'event' ? [signal.event] : []));

    expect(events.map((event) => 'isDenied' in event)).toEqual([false, false, true]);
  });

  it('of a subagent names the call that started it', () => {
    const message = user([{ type: 'tool_result', tool_use_id: 't', content: 'x' }], {
      parent_tool_use_id: 'toolu_9',
    });

    expect(map(message)[1]).toMatchObject({ event: { type: 'tool_result', text: 'x', agent: 'toolu_9' } });
  });

  it('keeps only the ends of a long result, because the transcript has all of it', () => {
    const [, signal] = map(user([{ type: 'tool_result', tool_use_id: 't', content: 'x'.repeat(90_000) }]));

    const text = signal?.type === 'event' && signal.event.type === 'tool_result' ? signal.event.text : '';
    expect(text).toHaveLength(2_000);
  });

  it.each([
    ['the echo of our own prompt', user('do it', { isReplay: true })],
    ['the mark of an interruption', user([{ type: 'text', text: '[Request interrupted by user]' }])],
  ])('that is %s only reports its uuid', (_, message) => {
    expect(map(message)).toEqual([seen('u2')]);
  });

  it('without a uuid emits nothing', () => {
    expect(map({ type: 'user', message: { content: 'x' } })).toEqual([]);
  });
});

describe('other messages', () => {
  it.each([
    'stream_event',
    'tool_progress',
    'tool_use_summary',
    'auth_status',
    'prompt_suggestion',
    'rate_limit_event',
    'command_lifecycle',
    'keep_alive',
  ])('of type %s are dropped', (type) => {
    expect(map({ type, uuid: 'u', event: {} })).toEqual([]);
  });

  it('of an unknown type become raw events', () => {
    expect(map({ type: 'hologram', data: {} })).toEqual([
      { type: 'event', event: { type: 'raw', messageType: 'hologram' } },
    ]);
  });

  it.each([[{ type: null }], [{ type: 7 }], [{}]])('%j without a type become raw events', (message) => {
    expect(map(message)).toEqual([{ type: 'event', event: { type: 'raw', messageType: 'unknown' } }]);
  });

  it.each([null, undefined, 'text', 7, true, [], [{ type: 'assistant' }]])('%j are ignored', (message) => {
    expect(map(message)).toEqual([]);
  });

  it('report that /clear began a new conversation', () => {
    expect(map({ type: 'conversation_reset', new_conversation_id: 'x' })).toEqual([
      {
        type: 'event',
        event: { type: 'status', text: 'Claude Code began a new conversation in this session' },
      },
    ]);
  });
});

it('never fails, whatever arrives', () => {
  const types = ['assistant', 'user', 'result', 'system', 'stream_event', 'x'];
  const subtypes = [
    'init',
    'status',
    'api_retry',
    'background_tasks_changed',
    'task_started',
    'informational',
  ];
  const anyMessage = fc.record(
    {
      type: fc.oneof(fc.constantFrom(...types), fc.jsonValue()),
      subtype: fc.oneof(fc.constantFrom(...subtypes), fc.jsonValue()),
      message: fc.oneof(fc.record({ content: fc.jsonValue() }), fc.jsonValue()),
      result: fc.jsonValue(),
      errors: fc.jsonValue(),
      user_message_uuids: fc.jsonValue(),
      origin: fc.jsonValue(),
      tasks: fc.jsonValue(),
      tools: fc.jsonValue(),
      model_usage_since_last_result: fc.jsonValue(),
      total_cost_usd: fc.jsonValue(),
      is_error: fc.jsonValue(),
      terminal_reason: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(anyMessage, fc.jsonValue()), (message) => {
      expect(Array.isArray(map(message))).toBe(true);
    }),
    { numRuns: 200 },
  );
});

describe('a message from Claude Code', () => {
  const heard: unknown[] = [];
  const mapper = new MessageMapper({
    isNewConversation: true,
    redactor: blindRedactor,
    onMessage: (message) => heard.push(message),
  });

  it.each([
    ['an assistant message', assistant({ type: 'text', text: 'hello' })],
    ['one that makes no event', { type: 'rate_limit_event' }],
    ['one of an unknown type', { type: 'hologram' }],
    ['a system message', { type: 'system', subtype: 'hook_started' }],
  ])('is passed on unchanged: %s', (_, message) => {
    mapper.map(message);

    expect(heard.at(-1)).toBe(message);
  });

  it.each([
    ['a piece of a text', { type: 'stream_event', event: {} }],
    ['the fate of a line', { type: 'command_lifecycle', state: 'queued' }],
    ['a state that was asked for', { type: 'system', subtype: 'session_state_changed', state: 'idle' }],
  ])('is dropped when it only concerns the connection: %s', (_, message) => {
    mapper.map(message);

    expect(heard).not.toContain(message);
  });
});

describe('a secret', () => {
  const secret = 'PLANTED-4f5e6d7c8b9a';
  const mapper = new MessageMapper({ isNewConversation: true, redactor: redactorOf(secret) });

  it.each([
    ['a long text', assistant({ type: 'text', text: secret.repeat(2_000) })],
    ['a long thought', assistant({ type: 'thinking', thinking: secret.repeat(2_000) })],
    [
      'a long command',
      assistant({ type: 'tool_use', id: 't', name: 'Bash', input: { command: secret.repeat(50) } }),
    ],
    [
      'a long output',
      {
        type: 'user',
        message: { content: [{ type: 'tool_result', tool_use_id: 't', content: secret.repeat(500) }] },
      },
    ],
    ['a denial', { type: 'system', subtype: 'permission_denied', message: secret.repeat(50) }],
    [
      'a task',
      {
        type: 'system',
        subtype: 'background_tasks_changed',
        tasks: [{ task_id: 't', description: secret.repeat(50) }],
      },
    ],
  ])('is redacted in %s before truncation', (_, message) => {
    const told = JSON.stringify(mapper.map(message));

    expect(told).toContain('[redacted]');
    expect(told).not.toMatch(/PLAN|4f5e|9a/);
  });
});
