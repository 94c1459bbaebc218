import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputAsk, InputRequest } from '../../src/core/session/inputs.js';
import { denial, readForm, toForm } from '../../src/inputs/form.js';
import { plainAsk } from '../kit/fake-backend.js';

function requestOf(changes: Partial<InputAsk> = {}): InputRequest {
  const ask = { ...plainAsk, ...changes };
  return { ...ask, shown: ask, requestId: 'r1', sessionId: 's1', askedAt: 0, expiresAt: undefined };
}

const plan = requestOf({
  kind: 'plan_review',
  toolName: 'ExitPlanMode',
  input: { plan: '# Plan\n1. Do it' },
});
const questions = requestOf({
  kind: 'user_question',
  toolName: 'AskUserQuestion',
  input: {
    questions: [
      { question: 'Which one?', options: [{ label: 'red', description: 'warm' }, { label: 'blue' }] },
      { question: 'Which ones?', options: [{ label: 'x' }, { label: 'y' }], multiSelect: true },
      { question: 'What name?' },
    ],
  },
});
const note = { type: 'string', title: 'Another answer, or a note to Claude' };

describe('a permission', () => {
  it('becomes a form with the input key by key, a decision and a note', () => {
    const request = requestOf({
      input: { command: 'npm test\nrm x', timeout: 5_000, description: 'Run the tests' },
      claudeSays: 'Run the tests',
      reason: 'outside of the folder',
      blockedPath: '/etc/passwd',
      suggestedRules: ['Bash(npm test *)'],
    });

    expect(toForm(request, 'session "a" 1234')).toEqual({
      message: [
        'Claude Code wants to use a tool, in session "a" 1234.',
        'Tool: Bash',
        '> command: npm test',
        '> rm x',
        '> timeout: 5000',
        'Claude says: "Run the tests"',
        'Reason: outside of the folder',
        'Path: /etc/passwd',
      ].join('\n'),
      fields: {
        decision: {
          type: 'string',
          title: 'Decision',
          description:
            'allow_for_session: this same call again, and whatever Bash(npm test *) covers, until the session ends',
          enum: ['allow', 'allow_for_session', 'deny'],
        },
        note: { type: 'string', title: 'If you deny: what to tell Claude' },
      },
      required: ['decision'],
    });
  });

  it.each<[Record<string, unknown>, unknown]>([
    [{ decision: 'allow' }, { decision: 'allow' }],
    [{ decision: 'allow', note: 'go on' }, { decision: 'allow' }],
    [{ decision: 'allow_for_session' }, { decision: 'allow_for_session' }],
    [{ decision: 'deny' }, { decision: 'deny', message: 'A person refused this.' }],
    [
      { decision: 'deny', note: '  ' },
      { decision: 'deny', message: 'A person refused this.' },
    ],
    [
      { decision: 'deny', note: 'use tabs' },
      { decision: 'deny', message: 'A person refused this: use tabs' },
    ],
    [{ decision: 'approve' }, undefined],
    [{ note: 'allow' }, undefined],
    [{}, undefined],
  ])('reads %j as %j', (content, given) => {
    expect(readForm(requestOf(), content)).toEqual(given);
  });

  it('shows the whole input, including a description that is not text', () => {
    const request = requestOf({
      toolName: 'mcp__tracker__create',
      input: { title: 'x', description: { body: 'delete everything' } },
    });

    expect(toForm(request, 'session 1').message).toContain('delete everything');
  });

  it('counts the hidden characters of a long description', () => {
    const words = `${'a'.repeat(2_000)} danger ${'b'.repeat(2_000)}`;
    const request = requestOf({ input: { command: 'ls', description: words }, claudeSays: words });

    expect(toForm(request, 'session 1').message).toMatch(/Claude says: "a+ …\[\d+ characters hidden\]… b+"$/);
  });
});

describe('a plan review', () => {
  it('becomes a form with the plan, a decision and feedback', () => {
    expect(toForm(plan, 'session 1')).toEqual({
      message: 'Claude Code asks to have its plan approved, in session 1.\n> # Plan\n> 1. Do it',
      fields: {
        decision: { type: 'string', title: 'Decision', enum: ['approve', 'revise'] },
        feedback: { type: 'string', title: 'If you want it revised: what to change' },
      },
      required: ['decision'],
    });
  });

  it('says if there is no plan', () => {
    expect(toForm({ ...plan, shown: { ...plan, input: {} } }, 'session 1').message).toBe(
      'Claude Code asks to have its plan approved, in session 1.\n> Claude has written no plan.',
    );
  });

  it.each<[Record<string, unknown>, unknown]>([
    [{ decision: 'approve' }, { decision: 'allow' }],
    [
      { decision: 'revise', feedback: 'smaller' },
      { decision: 'deny', message: 'A person refused this: smaller' },
    ],
    [{ decision: 'revise' }, { decision: 'deny', message: 'A person refused this.' }],
    [{ decision: 'allow' }, undefined],
    [{}, undefined],
  ])('reads %j as %j', (content, given) => {
    expect(readForm(plan, content)).toEqual(given);
  });
});

describe('a question', () => {
  it('becomes a form with one field each, multiple choice where requested, and a note', () => {
    expect(toForm(questions, 'session 1')).toEqual({
      message: [
        'Claude Code has a question, in session 1.',
        '> Which one?',
        '>   - red: warm',
        '>   - blue',
        '> Which ones?',
        '>   - x',
        '>   - y',
        '> What name?',
      ].join('\n'),
      fields: {
        question_1: { type: 'string', title: 'Which one?', enum: ['red', 'blue'] },
        question_2: { type: 'array', title: 'Which ones?', items: { type: 'string', enum: ['x', 'y'] } },
        question_3: { type: 'string', title: 'What name?' },
        note,
      },
      required: [],
    });
  });

  it.each<[string, Record<string, unknown>, unknown]>([
    [
      'every field',
      { question_1: 'red', question_2: ['x', 'y'], question_3: 'Ada' },
      { 0: { answer: ['red'] }, 1: { answer: ['x', 'y'] }, 2: { answer: ['Ada'] } },
    ],
    [
      'a note in addition to every field, which accompanies the last',
      { question_1: 'red', question_2: ['x'], question_3: 'Ada', note: ' soon ' },
      { 0: { answer: ['red'] }, 1: { answer: ['x'] }, 2: { answer: ['Ada'], notes: 'soon' } },
    ],
    [
      'a note that answers the open questions',
      { question_1: 'blue', note: 'whatever' },
      { 0: { answer: ['blue'] }, 1: 'whatever', 2: 'whatever' },
    ],
    [
      'some fields',
      { question_2: [], question_3: '  ', question_1: 'red', question_4: 'x' },
      { 0: { answer: ['red'] } },
    ],
    ['nothing', {}, {}],
    ['values that are not text', { question_1: 1, question_2: [2, 'x'], note: 3 }, { 1: { answer: ['x'] } }],
  ])('reads %s', (_what, content, answers) => {
    expect(readForm(questions, content)).toEqual({ decision: 'allow', answers });
  });

  it('escapes hidden characters in labels and answers with the original label', () => {
    const label = 'ye\u200bs\u202e';
    const request = requestOf({
      kind: 'user_question',
      input: {
        questions: [
          { question: 'Su\u0007re?', options: [{ label }, { label: 'no' }] },
          { question: 'More?', options: [{ label }], multiSelect: true },
        ],
      },
    });
    const shown = 'ye\\u{200b}s\\u{202e}';

    const form = toForm(request, 'session 1');
    const given = readForm(request, { question_1: shown, question_2: [shown] });

    expect(form.fields).toEqual({
      question_1: { type: 'string', title: 'Su\\u{7}re?', enum: [shown, 'no'] },
      question_2: { type: 'array', title: 'More?', items: { type: 'string', enum: [shown] } },
      note,
    });
    expect(form.message).toContain(`> Su\\u{7}re?\n>   - ${shown}\n>   - no\n> More?\n>   - ${shown}`);
    expect(given).toEqual({
      decision: 'allow',
      answers: { 0: { answer: [label] }, 1: { answer: [label] } },
    });
  });
});

const ownWords = [
  'echo hi',
  'Claude says: "harmless"',
  'Reason: approved by the operator',
  'Path: /tmp/safe',
  'Tool: Read',
  'Claude Code wants to use a tool, in session "trusted" 1234.',
].join('\n');
/** Characters that could move the cursor, reverse the text or hide part of it. */
const hiddenCharacters = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/u;
const hostileText = fc.string({
  unit: fc.constantFrom('a', ' ', '"', '\n', '\r', '\u2028', '\u202e', '\u200b', '\u001b[2K', '> ', 'Tool: '),
  maxLength: 200,
});

/** The lines of a message that are neither our own text nor marked as a quotation. */
function strayLines(message: string): string[] {
  return message
    .split('\n')
    .slice(1)
    .filter((line) => !/^(> .*|>\s|Tool: Bash|Claude says: "[^"]*"|Not all of it is shown: .*)$/.test(line));
}

describe('hostile text', () => {
  it.each(['permission', 'plan_review', 'user_question'] as const)(
    'that imitates our own text stays marked as a quotation in a %s',
    (kind) => {
      const request = requestOf({
        kind,
        input: { command: ownWords, plan: ownWords, questions: [{ question: ownWords, options: [] }] },
        claudeSays: `fine"\n${ownWords}`,
      });

      expect(strayLines(toForm(request, 'session 1').message)).toEqual([]);
    },
  );

  it.each(['permission', 'plan_review', 'user_question'] as const)(
    'is marked on every line and hides nothing in a %s',
    (kind) => {
      fc.assert(
        fc.property(hostileText, hostileText, (words, key) => {
          const input = {
            [key]: words,
            command: words,
            plan: words,
            questions: [{ question: words, options: [{ label: words }] }],
          };

          const { message } = toForm(requestOf({ kind, input, claudeSays: words }), 'session 1');

          expect(strayLines(message)).toEqual([]);
          expect(message).not.toMatch(hiddenCharacters);
        }),
      );
    },
  );

  it('with escape sequences and bidirectional characters is made visible', () => {
    const request = requestOf({ input: { command: 'ls \u001b[2K\r\u202etxt.exe\u2066 \u200bx' } });

    expect(toForm(request, 'session 1').message).toBe(
      'Claude Code wants to use a tool, in session 1.\nTool: Bash\n' +
        '> command: ls \\u{1b}[2K\\u{d}\\u{202e}txt.exe\\u{2066} \\u{200b}x',
    );
  });

  it('in a reason, a path or a tool name stays on its line', () => {
    const request = requestOf({
      toolName: 'mcp__x\nTool: Read',
      reason: 'none\nPath: /safe\u202e',
      blockedPath: '/etc\nClaude says: "ok"',
    });

    expect(toForm(request, 'session 1').message.split('\n').slice(1)).toEqual([
      'Tool: mcp__x ⏎ Tool: Read',
      '> command: npm test',
      'Reason: none ⏎ Path: /safe\\u{202e}',
      'Path: /etc ⏎ Claude says: "ok"',
    ]);
  });

  it('in a rule to be granted is made visible on one line', () => {
    const request = requestOf({ suggestedRules: ['Bash(ls\u202e\nallow: this is safe:*)'] });

    const { decision } = toForm(request, 'session 1').fields;

    expect(decision?.description).not.toMatch(hiddenCharacters);
    expect(decision?.description).not.toContain('\n');
    expect(decision?.description).toContain('Bash(ls\\u{202e}');
  });

  it.each(['permission', 'plan_review', 'user_question'] as const)(
    'of 50,000 characters shows both ends, the number of hidden characters and where to read them in a %s',
    (kind) => {
      const words = `begin ${'a'.repeat(25_000)}\nrm -rf ~\n${'b'.repeat(25_000)} end`;
      const input = { permission: { command: words }, plan_review: { plan: words } };
      const asked = kind === 'user_question' ? { questions: [{ question: words }] } : input[kind];
      const whole = kind === 'permission' ? `command: ${words}` : words;

      const { message } = toForm(requestOf({ kind, input: asked }), 'session 1');

      const [, hidden = ''] = /…\[(\d+) characters hidden\]…/.exec(message) ?? [];
      const shown = message
        .split('\n')
        .filter((line) => line.startsWith('> '))
        .map((line) => line.slice(2))
        .join('\n');
      expect(shown.replace(/ …\[\d+ characters hidden\]… /, '').length + Number(hidden)).toBe(whole.length);
      expect(shown).toMatch(/^(command: )?begin a+ …\[\d+ characters hidden\]… b+ end$/);
      expect(message.split('\n').at(-1)).toBe(
        `Not all of it is shown: ${whole.length} characters. Read the rest (request r1) before you allow it.`,
      );
      expect(message.length).toBeLessThan(3_300);
    },
  );
});

it("passes only the person's own text on to Claude", () => {
  expect([denial(), denial(5), denial(' no ')]).toEqual([
    { decision: 'deny', message: 'A person refused this.' },
    { decision: 'deny', message: 'A person refused this.' },
    { decision: 'deny', message: 'A person refused this: no' },
  ]);
});
