import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cleanArguments } from '../../../src/mcp/arguments/clean.js';
import { explainArguments } from '../../../src/mcp/arguments/explain.js';
import { checkRespondsTools } from '../../../src/toolsets/async/check-responds.js';
import { asyncTools } from '../../../src/toolsets/async/index.js';
import { codexTools } from '../../../src/toolsets/codex/index.js';
import { queryTools } from '../../../src/toolsets/query/index.js';
import { sessionsTools } from '../../../src/toolsets/sessions/index.js';

const schema = z.strictObject({
  prompt: z.string(),
  count: z.int().max(5, 'is more than 5').optional(),
  waitMs: z.int().min(1_000).max(9_000).optional(),
  ids: z.array(z.uuid()).max(3).optional(),
  rules: z.array(z.string().regex(/^[^-]/, 'must not start with "-"')).optional(),
  server: z
    .union([
      z.strictObject({ type: z.literal('http'), url: z.url() }),
      z.strictObject({ type: z.literal('stdio'), command: z.string() }),
    ])
    .optional(),
  advanced: z
    .strictObject({ effort: z.enum(['low', 'high']).optional(), debug: z.boolean().optional() })
    .optional(),
});

function explain(args: unknown, input: z.ZodObject = schema): string {
  return explainArguments(cleanArguments(args, input), input).message;
}

const tools = new Map(
  [
    ...sessionsTools,
    ...asyncTools,
    ...codexTools({ maxExecutionMs: 300_000 }),
    ...queryTools({ maxExecutionMs: 300_000, async: undefined }),
  ].map((tool) => [tool.name, tool.input]),
);
const fourTools = new Map(checkRespondsTools.map((tool) => [tool.name, tool.input]));

it('puts only some of very many problems into words', () => {
  const choice = z.enum(['low', 'high']);
  let looks = 0;
  Object.defineProperty(choice, 'options', {
    get() {
      looks += 1;
      return ['low', 'high'];
    },
  });
  const many = Array.from({ length: 5_000 }, () => 1);

  const { message } = explainArguments({ list: many }, z.strictObject({ list: z.array(choice) }));

  expect(message).toMatch(/^list\.0 must be "low" or "high", not 1; list\.1 must be/);
  expect(message.match(/must be/g)).toHaveLength(5);
  expect(looks).toBeLessThan(1_000);
});

describe('an unknown key', () => {
  it.each([
    ['in another spelling', { prompt: 'x', Rules: [] }, 'unknown key "Rules": did you mean rules?'],
    ['with a typo', { prompt: 'x', promt: 'y' }, 'unknown key "promt": did you mean prompt?'],
    [
      'with a typo inside an object',
      { prompt: 'x', advanced: { efort: 'low' } },
      'in advanced, unknown key "efort": did you mean effort?',
    ],
    ['of an inner object is pointed to its place', { prompt: 'x', effort: 'low' }, 'effort goes in advanced'],
    [
      'of the top level is pointed to its place',
      { prompt: 'x', advanced: { count: 3 } },
      'in advanced, count goes at the top level of the arguments',
    ],
    [
      'that resembles none is answered with all',
      { prompt: 'x', zzzzz: 1 },
      'unknown key "zzzzz"; known: prompt, count, waitMs, ids, rules, server, advanced',
    ],
  ])('%s', (_, args, words) => {
    expect(explain(args)).toBe(words);
  });

  it('is cut if it is too long to be one', () => {
    expect(explain({ prompt: 'x', ['b'.repeat(80)]: 2 })).toContain(`unknown key "${'b'.repeat(60)}";`);
  });

  it.each([
    [
      'claude_code',
      { prompt: 'x', allowed_tools: ['Read'] },
      'unknown key "allowed_tools": did you mean allowedTools?',
    ],
    [
      'claude_code',
      { prompt: 'x', workingDirectory: '/x' },
      'unknown key "workingDirectory": did you mean cwd?',
    ],
    ['claude_code', { prompt: 'x', effort: 'low' }, 'effort goes in advanced'],
    [
      'claude_code',
      { prompt: 'x', advanced: { cwd: '/x' } },
      'in advanced, cwd goes at the top level of the arguments',
    ],
    ['claude_code_reply', { sessionId: 's', prompt: 'x', effort: 'low' }, 'effort goes in diskResumeConfig'],
    ['claude_code_check', { session_id: 's' }, 'unknown key "session_id": did you mean sessionId?'],
    ['claude_code_check', { id: 's' }, 'unknown key "id": did you mean sessionId?'],
    [
      'codex-reply',
      { sessionId: 's', prompt: 'x' },
      'threadId is required; unknown key "sessionId": did you mean threadId?',
    ],
    [
      'claude_respond',
      { sessionId: 's', inputId: 'r', decision: 'allow', answers: ['a'] },
      'answers goes in updatedInput',
    ],
    [
      'claude_respond',
      { sessionId: 's', inputId: 'r', decision: 'allow', plan: '# Plan' },
      'plan goes in updatedInput',
    ],
    [
      'claude_respond',
      { sessionId: 's', inputId: 'r', decision: 'allow', input: {} },
      'unknown key "input": did you mean updatedInput?',
    ],
    ['claude_code_query', { message: 'x' }, 'unknown key "message": did you mean prompt?'],
    ['claude_list_sessions', { cwd: '/x' }, 'unknown key "cwd": did you mean projectDirectory?'],
    [
      'claude_code_session',
      { action: 'list', workingDirectory: '/x' },
      'unknown key "workingDirectory": did you mean projectDirectory?',
    ],
    [
      'claude_code_respond',
      { id: 'r', decision: 'allow' },
      'requestId is required; unknown key "id": did you mean requestId?',
    ],
    [
      'claude_code_reply',
      { sessionId: 's', prompt: 'x', advanced: { effort: 'low' } },
      'unknown key "advanced": did you mean diskResumeConfig?',
    ],
    [
      'claude_code',
      { prompt: 'x', advanced: { mcpServers: { a: { url: 'https://example.com/mcp' } } } },
      /^advanced\.mcpServers\.a must be \{type: "http", url: text, .*\}, \{type: "sse", .*command: text/,
    ],
    [
      'claude_send_message',
      { sessionId: 's', prompt: 'x' },
      'message is required; unknown key "prompt": did you mean message?',
    ],
    [
      'claude_code',
      { prompt: 'x', advanced: { agents: { a: { description: 'd', prompt: 'p', memory: 'user' } } } },
      /^in advanced\.agents\.a, unknown key "memory"; known: description, prompt, tools, /,
    ],
    [
      'claude_code',
      { prompt: 'x', advanced: { thinking: { type: 'enabled', display: 'omitted' } } },
      /^in advanced\.thinking, unknown key "display"; known: type, budgetTokens/,
    ],
  ])('of %s %j says what to write', (name, args, words) => {
    const text = explain(args, tools.get(name));

    if (typeof words === 'string') expect(text).toBe(words);
    else expect(text).toMatch(words);
  });

  it('of the four tools is pointed to its place too', () => {
    expect(explain({ action: 'poll', sessionId: 's', waitMs: 5 }, fourTools.get('claude_code_check'))).toBe(
      'waitMs goes in pollOptions',
    );
  });
});

describe('a wrong value', () => {
  it.each([
    [
      { prompt: 'x', advanced: { effort: 'higher' } },
      'advanced.effort must be "low" or "high", not "higher": did you mean "high"?',
    ],
    [{ prompt: 'x', rules: ['a', '-b'] }, 'rules.1 must not start with "-"'],
    [{ prompt: 'x', count: 9 }, 'count is more than 5'],
    [
      { prompt: 'x', waitMs: 30 },
      'waitMs must be a whole number from 1000 to 9000 (milliseconds: 30 seconds are 30000), not 30',
    ],
    [
      { prompt: 'x', waitMs: '30s' },
      'waitMs must be a whole number from 1000 to 9000 (milliseconds: 30 seconds are 30000), not 30000',
    ],
    [
      { prompt: 'x', waitMs: 'a while' },
      'waitMs must be a whole number from 1000 to 9000 (milliseconds: 30 seconds are 30000), not "a while"',
    ],
    [{ prompt: 'x', count: '3s' }, 'count must be a whole number up to 5, not "3s"'],
    [{ prompt: 7 }, 'prompt must be text, not 7'],
    [{ prompt: 'x', rules: 7 }, 'rules must be a list of texts such as ["one", "two"], not 7'],
    [{ prompt: 'x', ids: 'one two' }, 'ids must be a list of texts such as ["one", "two"], not "one two"'],
    [
      { prompt: 'x', server: {} },
      'server must be {type: "http", url: text} or {type: "stdio", command: text}, not an object',
    ],
    [
      { prompt: 'x', server: { url: 'https://a.example' } },
      'server must be {type: "http", url: text} or {type: "stdio", command: text}, not an object with only url',
    ],
    [{ prompt: 'x', server: { type: 'http' } }, 'server is invalid: url is required'],
    [{ prompt: 'x', server: { type: 'http', url: 'y' } }, 'server.url must be a valid url'],
    [{}, 'prompt is required'],
  ])('%j is explained', (args, words) => {
    expect(explain(args)).toBe(words);
  });

  it('of one of several answers is named by the answer', () => {
    const args = { requestId: 'r', decision: 'allow', answers: { 0: 2 } };

    expect(explain(args, tools.get('claude_code_respond'))).toBe(
      'answers.0 must be text or a list of texts such as ["one", "two"] or {answer: text or a list of texts such as ["one", "two"], notes?}, not 2',
    );
  });

  it('is named briefly, however long the name is that the caller chose', () => {
    const mcpServers = { ['"\n'.repeat(10_000)]: { type: 'http', url: 'x' } };

    expect(explain({ prompt: 'x', advanced: { mcpServers } }, tools.get('claude_code')).length).toBeLessThan(
      500,
    );
  });

  it.each([
    ['claude_code_respond', { requestId: 'r', decision: 'approve' }, 'did you mean "allow"?'],
    ['claude_code_respond', { requestId: 'r', decision: true }, 'did you mean "allow"?'],
    ['claude_respond', { sessionId: 's', inputId: 'r', decision: 'reject' }, 'did you mean "deny"?'],
    ['claude_code_session', { action: 'stop' }, 'did you mean "interrupt"?'],
    ['claude_code', { prompt: 'x', permissionMode: 'accept' }, 'permissionMode must be "default", '],
    [
      'claude_code',
      { prompt: 'x', systemPrompt: { append: 'y' } },
      'systemPrompt must be text or {type: "preset", preset: "claude_code", append?}, not an object without type and preset',
    ],
    ['claude_code_respond', { requestId: 'r', decision: { toString: 1 } }, 'decision must be "allow", '],
    ['claude_code', { prompt: 'x', advanced: { timeoutMs: 30 } }, 'milliseconds'],
    ['claude_code_reply', { sessionId: 's', prompt: 'x', timeoutMs: 30 }, 'milliseconds'],
  ])('of %s %j is answered with the shape or a guess', (name, args, words) => {
    expect(explain(args, tools.get(name))).toContain(words);
  });

  it('is named once, also if it is an object with a length', () => {
    expect(explain({ prompt: 'x', disallowedTools: [{ length: null }] }, tools.get('claude_code'))).toBe(
      'disallowedTools.0 must be text, not an object',
    );
  });

  it('is not quoted if it may be a secret', () => {
    expect(explain({ prompt: 'x', advanced: { effort: 'k'.repeat(41) } })).toBe(
      'advanced.effort must be "low" or "high", not text',
    );
  });
});

it('lists all of a few problems, but only the first of many', () => {
  const rules = Array.from({ length: 9 }, () => '-x');

  expect(explain({ prompt: 'x', count: 9, rules: ['-x'] }).split('; ')).toHaveLength(2);
  expect(explain({ prompt: 'x', rules }).split('; ')).toHaveLength(5);
});
