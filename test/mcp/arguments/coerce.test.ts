import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { cleanArguments } from '../../../src/mcp/arguments/clean.js';
import { checkRespondsTools } from '../../../src/toolsets/async/check-responds.js';
import { asyncTools } from '../../../src/toolsets/async/index.js';
import { sessionsTools } from '../../../src/toolsets/sessions/index.js';

const tools = new Map([...sessionsTools, ...asyncTools].map((tool) => [tool.name, tool]));
const fourTools = new Map(checkRespondsTools.map((tool) => [tool.name, tool]));
const id = '0b8f6a52-3c1d-4f7e-9a60-5d2e8c7b1f04';

function inputOf(name: string, served = tools): z.ZodObject {
  const tool = served.get(name);
  if (tool === undefined) throw new Error(`${name} is not served`);
  return tool.input;
}

function read(name: string, args: unknown, served = tools): unknown {
  const input = inputOf(name, served);
  const cleaned = cleanArguments(args, input);
  // Proves that the tool takes what was read.
  expect(input.safeParse(cleaned).error).toBeUndefined();
  return cleaned;
}

describe('a value in another form is read:', () => {
  it.each([
    ['a number as text', 'claude_code', { waitMs: '5000' }, { waitMs: 5_000 }],
    ['seconds', 'claude_code', { waitMs: '20s' }, { waitMs: 20_000 }],
    ['milliseconds', 'claude_code', { waitMs: '250ms' }, { waitMs: 250 }],
    ['minutes in words', 'claude_code', { waitMs: '1.5 minutes' }, { waitMs: 90_000 }],
    [
      'a duration inside an object',
      'claude_code',
      { advanced: { timeoutMs: '2h' } },
      { advanced: { timeoutMs: 7_200_000 } },
    ],
    ['an amount as text', 'claude_code', { maxBudgetUsd: '2.50' }, { maxBudgetUsd: 2.5 }],
    ['one tool for a list', 'claude_code', { allowedTools: 'Read' }, { allowedTools: ['Read'] }],
    [
      'tools separated by commas',
      'claude_code',
      { allowedTools: 'Read, Bash' },
      { allowedTools: ['Read', 'Bash'] },
    ],
    [
      'rules with commas inside brackets',
      'claude_code',
      { allowedTools: 'Bash(echo a,b),Read' },
      { allowedTools: ['Bash(echo a,b)', 'Read'] },
    ],
    [
      'a list as JSON',
      'claude_code',
      { disallowedTools: '["Read","Bash"]' },
      { disallowedTools: ['Read', 'Bash'] },
    ],
    ['another case', 'claude_code', { permissionMode: 'acceptedits' }, { permissionMode: 'acceptEdits' }],
    [
      'other separators',
      'claude_code',
      { permissionMode: 'accept_edits' },
      { permissionMode: 'acceptEdits' },
    ],
    [
      'an object as JSON, with a number as text inside',
      'claude_code',
      { advanced: '{"effort":"high","timeoutMs":"9000","model":null}' },
      { advanced: { effort: 'high', timeoutMs: 9_000 } },
    ],
    [
      'a union inside an object',
      'claude_code',
      { advanced: { thinking: { type: 'ENABLED', budgetTokens: '2000' } } },
      { advanced: { thinking: { type: 'enabled', budgetTokens: 2_000 } } },
    ],
    ['one skill', 'claude_code', { advanced: { skills: 'pdf' } }, { advanced: { skills: ['pdf'] } }],
    [
      'the tools of a subagent',
      'claude_code',
      { advanced: { agents: { a: { description: 'd', prompt: 'p', tools: 'Read, Grep', maxTurns: '3' } } } },
      {
        advanced: { agents: { a: { description: 'd', prompt: 'p', tools: ['Read', 'Grep'], maxTurns: 3 } } },
      },
    ],
    [
      'empty texts for fields that are not set',
      'claude_code',
      { model: '', cwd: '', permissionMode: '', maxTurns: '' },
      {},
    ],
    [
      'empty texts for fields that are not set, although the field takes any text',
      'claude_code',
      { systemPrompt: '', advanced: { effort: 'low', debugFile: '' } },
      { advanced: { effort: 'low' } },
    ],
  ])('%s', (_, name, args, wanted) => {
    expect(read(name, { prompt: 'x', ...args })).toEqual({ prompt: 'x', ...wanted });
  });

  it.each([
    [
      '"ALLOW"',
      'claude_code_respond',
      { requestId: 'r', decision: 'ALLOW' },
      { requestId: 'r', decision: 'allow' },
    ],
    [
      'an input as JSON',
      'claude_code_respond',
      { requestId: 'r', decision: 'allow', updatedInput: '{"command":"ls","x":null}' },
      { requestId: 'r', decision: 'allow', updatedInput: { command: 'ls', x: null } },
    ],
    [
      'answers as JSON',
      'claude_code_respond',
      { requestId: 'r', decision: 'allow', answers: '{"Which?":"A"}' },
      { requestId: 'r', decision: 'allow', answers: { 'Which?': 'A' } },
    ],
    [
      'an approval whose other fields are empty',
      'claude_code_respond',
      { requestId: 'r', decision: 'allow', sessionId: '', message: '', plan: '', nextMode: '' },
      { requestId: 'r', decision: 'allow' },
    ],
    [
      '"True"',
      'claude_code_respond',
      { requestId: 'r', decision: 'deny', interrupt: 'True' },
      { requestId: 'r', decision: 'deny', interrupt: true },
    ],
    [
      '"false", which stays false',
      'claude_code_respond',
      { requestId: 'r', decision: 'deny', interrupt: 'false' },
      { requestId: 'r', decision: 'deny', interrupt: false },
    ],
    ['one id for several', 'claude_code_check', { sessionIds: id }, { sessionIds: [id] }],
    [
      'several ids separated by commas',
      'claude_code_check',
      { sessionIds: `${id},${id}` },
      { sessionIds: [id, id] },
    ],
    ['no ids', 'claude_code_check', { sessionId: id, sessionIds: [] }, { sessionId: id }],
    [
      'empty ids',
      'claude_code_check',
      { sessionId: '', sessionIds: [id], requestId: '', cursor: '' },
      { sessionIds: [id] },
    ],
    [
      'one kind of details',
      'claude_code_check',
      { sessionId: id, include: 'events' },
      { sessionId: id, include: ['events'] },
    ],
    [
      'the decision of the six tools',
      'claude_respond',
      { sessionId: id, inputId: 'r', decision: 'Deny' },
      { sessionId: id, inputId: 'r', decision: 'deny' },
    ],
    [
      'a number of the six tools',
      'claude_get_status',
      { sessionId: id, outputLines: '5' },
      { sessionId: id, outputLines: 5 },
    ],
  ])('%s', (_, name, args, wanted) => {
    expect(read(name, args)).toEqual(wanted);
  });

  it('the options of the four tools as JSON', () => {
    expect(
      read(
        'claude_code_check',
        { action: 'POLL', sessionId: id, cursor: '7', pollOptions: '{"waitMs":"5"}' },
        fourTools,
      ),
    ).toEqual({
      action: 'poll',
      sessionId: id,
      cursor: 7,
      pollOptions: { waitMs: 5 },
    });
  });

  it('empty texts of the four tools, which would replace a plan', () => {
    const answer = { action: 'respond_permission', sessionId: id, requestId: 'r', decision: 'allow' };

    expect(
      read('claude_code_check', { ...answer, permissionOptions: { plan: '', nextMode: '' } }, fourTools),
    ).toEqual({ ...answer, permissionOptions: {} });
  });
});

describe('a value that could mean two things stays as it is:', () => {
  const start = (args: Record<string, unknown>): Record<string, unknown> => {
    const { prompt: _prompt, ...rest } = cleanArguments({ prompt: 'x', ...args }, inputOf('claude_code'));
    return rest;
  };

  it.each([
    ['an empty text for a list, which may mean none', { advanced: { tools: '' } }],
    ['words for a number', { waitMs: 'half a minute' }],
    ['a part of a millisecond', { waitMs: '0.5ms' }],
    ['a unit for a count', { maxTurns: '20s' }],
    ['another notation of a number', { waitMs: '1e3' }],
    ['a number too long to be exact', { waitMs: '12345678901234567890' }],
    ['a number for a switch', { advanced: { slashCommands: 1 } }],
    ['yes for a switch', { advanced: { slashCommands: 'yes' } }],
    ['a number for a text', { model: 4 }],
  ])('%s', (_, args) => {
    expect(start(args)).toEqual(args);
  });
});

it.each(['{"a":1}', '["a"]', '5000', 'true', 'ALLOW', 'null', 'a, b'])(
  'the prompt %j stays text',
  (prompt) => {
    expect(cleanArguments({ prompt }, inputOf('claude_code'))).toEqual({ prompt });
  },
);

describe('a value that would take long to read stays as it is:', () => {
  const words = (count: number): string => Array.from({ length: count }, () => 'Read').join(',');
  const entries = Array.from({ length: 101 }, () => ({}));

  it.each([
    ['a text of more entries than the list may have', { allowedTools: words(101) }],
    ['a list of more entries than it may have', { allowedTools: entries }],
    ['a JSON text of more values than are read', { allowedTools: `[${'{},'.repeat(5_000)}{}]` }],
  ])('%s', (_, args) => {
    expect(cleanArguments({ prompt: 'x', ...args }, inputOf('claude_code'))).toEqual({
      prompt: 'x',
      ...args,
    });
  });

  it('the last of so many texts that their entries together are too many', () => {
    const agent = { description: 'd', prompt: 'p', tools: words(100) };
    const agents = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, agent]));

    const cleaned = cleanArguments({ prompt: 'x', advanced: { agents } }, inputOf('claude_code'));

    const read = { ...agent, tools: Array.from({ length: 100 }, () => 'Read') };
    expect(cleaned).toMatchObject({ advanced: { agents: { k0: read, k59: agent } } });
  });

  it('the last of many values that are not accepted as they are', () => {
    const agent = { prompt: 'p', maxTurns: '5' };
    const agents = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`k${index}`, agent]));

    const cleaned = cleanArguments({ prompt: 'x', advanced: { agents } }, inputOf('claude_code'));

    const read = { ...agent, maxTurns: 5 };
    expect(cleaned).toMatchObject({ advanced: { agents: { k0: read, k450: read, k599: agent } } });
  });
});

it('refuses __proto__ inside an object that came as JSON', () => {
  const input = inputOf('claude_code_respond');

  expect(() =>
    cleanArguments({ requestId: 'r', decision: 'allow', updatedInput: '{"__proto__":{"a":1}}' }, input),
  ).toThrow(/unknown key "__proto__"/);
});

it('answers in a list belong to the questions in their order', () => {
  const given = { requestId: 'r', decision: 'allow', answers: ['yes', ['a', 'b']] };

  expect(cleanArguments(given, inputOf('claude_code_respond'))).toEqual({
    ...given,
    answers: { 0: 'yes', 1: ['a', 'b'] },
  });
});
