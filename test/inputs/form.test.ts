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
const origin = { session: '1', folder: '/srv/app' };
const note = { type: 'string', title: 'Another answer, or a note to Claude' };

describe('a permission', () => {
  it('names the folder to which a command has moved the session', () => {
    const { message } = toForm(
      requestOf({ input: { command: './build.sh' }, folder: '/srv/app/sub' }),
      origin,
    );

    expect(message.split('\n').slice(0, 3)).toEqual([
      'Allow Claude Code to run `./build.sh` in sub?',
      'Session: 1',
      'Present folder: `/srv/app/sub`',
    ]);
  });

  it('becomes a form with the input key by key, a decision and a note', () => {
    const request = requestOf({
      input: { command: 'npm test\nrm x', timeout: 5_000, description: 'Run the tests' },
      claudeSays: 'Run the tests',
      reason: 'outside of the folder',
      blockedPath: '/etc/passwd',
      suggestedRules: ['Bash(npm test *)'],
    });

    expect(toForm(request, { session: '"a" 1234, folder /srv/app', folder: '/srv/app' })).toEqual({
      message: [
        'Allow Claude Code to run this command in app?',
        'Session: "a" 1234, folder /srv/app',
        'Tool: Bash',
        '> command:',
        '> | npm test',
        '> | rm x',
        '> timeout: 5000',
        'Claude says: "Run the tests"',
        'Reason: "outside of the folder"',
        'Path: `/etc/passwd`',
      ].join('\n'),
      fields: {
        decision: {
          type: 'string',
          title: 'Decision',
          description:
            'Allow for this session: this exact call and every call that matches `Bash(npm test *)`, until the session ends',
          enum: ['allow', 'allow_for_session', 'deny'],
          enumNames: ['Allow once', 'Allow for this session', 'Deny'],
        },
        note: { type: 'string', title: 'If you deny: a message to Claude' },
      },
      required: ['decision'],
    });
  });

  it.each<[Record<string, unknown>, unknown]>([
    [{ decision: 'allow' }, { decision: 'allow' }],
    [{ decision: 'allow', note: 'go on' }, { decision: 'allow' }],
    [{ decision: 'allow_for_session' }, { decision: 'allow_for_session' }],
    [{ decision: 'deny' }, { decision: 'deny', message: 'A person denied this.' }],
    [
      { decision: 'deny', note: '  ' },
      { decision: 'deny', message: 'A person denied this.' },
    ],
    [
      { decision: 'deny', note: 'use tabs' },
      { decision: 'deny', message: 'A person denied this: use tabs' },
    ],
    [{ decision: 'approve' }, undefined],
    [{ note: 'allow' }, undefined],
    [{}, undefined],
  ])('reads %j as %j', (content, given) => {
    expect(readForm(requestOf(), content)).toEqual(given);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['Bash', { command: 'npm test' }, 'run `npm test` in app'],
    ['Bash', { command: 'x'.repeat(80) }, `run \`${'x'.repeat(80)}\` in app`],
    ['Bash', { command: 'x'.repeat(81) }, 'run this command in app'],
    ['Bash', { command: 'echo `id`' }, 'run this command in app'],
    ['Bash', { command: 'ls\nrm x' }, 'run this command in app'],
    ['Bash', { command: 'ls\u202ex' }, 'run this command in app'],
    ['Bash', { command: ' ls' }, 'run this command in app'],
    ['Bash', {}, 'run this command in app'],
    ['Read', { file_path: '/etc/hosts' }, 'read `/etc/hosts`'],
    ['Write', { file_path: '/srv/app/a.txt', content: 'x' }, 'write `/srv/app/a.txt`'],
    ['Edit', { file_path: 5 }, 'edit this file'],
    ['NotebookEdit', { notebook_path: '/srv/n.ipynb' }, 'edit `/srv/n.ipynb`'],
    ['WebFetch', { url: 'https://example.com/' }, 'fetch `https://example.com/`'],
    ['WebSearch', { query: 'node 20' }, 'search the web for `node 20`'],
    ['Rewind', { files: ['a'] }, 'restore files in app'],
    ['mcp__tracker__create', {}, 'use mcp__tracker__create in app'],
    ['constructor', {}, 'use constructor in app'],
    ['run `ls`', {}, 'use a tool in app'],
  ])('asks about %s %j in the first line', (toolName, input, action) => {
    const [first] = toForm(requestOf({ toolName, input }), origin).message.split('\n');

    expect(first).toBe(`Allow Claude Code to ${action}?`);
  });

  it('names no folder in the first line when it is unknown', () => {
    const [first] = toForm(requestOf(), { session: '1', folder: undefined }).message.split('\n');

    expect(first).toBe('Allow Claude Code to run `npm test`?');
  });

  it.each([
    '/srv/a\nTool: Read\u202e',
    '/srv/demo (dry run: nothing is executed, safe to allow)',
    '/srv/demo: your session expired, enter your password below',
    '/',
  ])('names no folder in the first line if the name is not plain: %j', (folder) => {
    const [first] = toForm(requestOf(), { session: '1', folder }).message.split('\n');

    expect(first).toBe('Allow Claude Code to run `npm test`?');
  });

  it('offers a grant only where it would be used', () => {
    const { decision } = toForm(requestOf({ isGrantable: false }), origin).fields;

    expect(decision).toEqual({
      type: 'string',
      title: 'Decision',
      enum: ['allow', 'deny'],
      enumNames: ['Allow once', 'Deny'],
    });
  });

  it('shows all of the input, also a description that is not text', () => {
    const request = requestOf({
      toolName: 'mcp__tracker__create',
      input: { title: 'x', description: { body: 'delete everything' } },
    });

    expect(toForm(request, origin).message).toContain('delete everything');
  });

  it('counts the hidden characters of a long description', () => {
    const words = `${'a'.repeat(2_000)} danger ${'b'.repeat(2_000)}`;
    const request = requestOf({ input: { command: 'ls', description: words }, claudeSays: words });

    expect(toForm(request, origin).message).toMatch(/Claude says: "a+ …\[\d+ characters hidden\]… b+"$/);
  });
});

describe('a plan review', () => {
  it('becomes a form with the plan, a decision and feedback', () => {
    expect(toForm(plan, origin)).toEqual({
      message: "Approve Claude Code's plan in app?\nSession: 1\n> plan:\n> | # Plan\n> | 1. Do it",
      fields: {
        decision: {
          type: 'string',
          title: 'Decision',
          enum: ['approve', 'revise'],
          enumNames: ['Approve', 'Ask for changes'],
        },
        feedback: { type: 'string', title: 'If you ask for changes: what to change' },
      },
      required: ['decision'],
    });
  });

  it('says if there is no plan', () => {
    expect(toForm({ ...plan, shown: { ...plan, input: {} } }, origin).message).toBe(
      "Approve Claude Code's plan in app?\nSession: 1\nClaude did not write a plan.",
    );
  });

  it.each<[Record<string, unknown>, unknown]>([
    [{ decision: 'approve' }, { decision: 'allow' }],
    [
      { decision: 'revise', feedback: 'smaller' },
      { decision: 'deny', message: 'A person denied this: smaller' },
    ],
    [{ decision: 'revise' }, { decision: 'deny', message: 'A person denied this.' }],
    [{ decision: 'allow' }, undefined],
    [{}, undefined],
  ])('reads %j as %j', (content, given) => {
    expect(readForm(plan, content)).toEqual(given);
  });
});

describe('a question', () => {
  it('becomes a form with one field each, multiple choice where requested, and a note', () => {
    expect(toForm(questions, origin)).toEqual({
      message: [
        'Claude Code has a question in app:',
        'Session: 1',
        '> 1. Which one?',
        '>   - red: warm',
        '>   - blue',
        '> 2. Which ones?',
        '>   - x',
        '>   - y',
        '> 3. What name?',
      ].join('\n'),
      fields: {
        question_1: { type: 'string', title: '"Which one?"', enum: ['red', 'blue'] },
        question_2: { type: 'array', title: '"Which ones?"', items: { type: 'string', enum: ['x', 'y'] } },
        question_3: { type: 'string', title: '"What name?"' },
        note,
      },
      required: [],
    });
  });

  const chosen = (...options: readonly number[]) => ({ answer: options.map((option) => ({ option })) });

  it.each<[string, Record<string, unknown>, unknown]>([
    [
      'every field',
      { question_1: 'red', question_2: ['x', 'y'], question_3: 'Ada' },
      { 0: chosen(0), 1: chosen(0, 1), 2: { answer: ['Ada'] } },
    ],
    [
      'a note in addition to every field, which accompanies the last',
      { question_1: 'red', question_2: ['x'], question_3: 'Ada', note: ' soon ' },
      { 0: chosen(0), 1: chosen(0), 2: { answer: ['Ada'], notes: 'soon' } },
    ],
    [
      'a note that answers the open questions',
      { question_1: 'blue', note: 'whatever' },
      { 0: chosen(1), 1: 'whatever', 2: 'whatever' },
    ],
    [
      'some fields',
      { question_2: [], question_3: '  ', question_1: 'red', question_4: 'x' },
      { 0: chosen(0) },
    ],
    ['nothing', {}, {}],
    ['values that are not text', { question_1: 1, question_2: [2, 'x'], note: 3 }, { 1: chosen(0) }],
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

    const form = toForm(request, origin);
    const given = readForm(request, { question_1: shown, question_2: [shown] });

    expect(form.fields).toEqual({
      question_1: { type: 'string', title: '"Su\\u{7}re?"', enum: [shown, 'no'] },
      question_2: { type: 'array', title: '"More?"', items: { type: 'string', enum: [shown] } },
      note,
    });
    expect(form.message).toContain(`> 1. Su\\u{7}re?\n>   - ${shown}\n>   - no\n> 2. More?\n>   - ${shown}`);
    expect(given).toEqual({
      decision: 'allow',
      answers: { 0: chosen(0), 1: chosen(0) },
    });
  });

  it('offers labels that look the same apart, and answers with the chosen one', () => {
    const labels = ['A\u200b', 'A\\u{200b}', 'A\\u{200b} (2)', 'B'];
    const question = { question: 'Which?', options: labels.map((label) => ({ label })) };
    const request = requestOf({ kind: 'user_question', input: { questions: [question] } });

    const field = toForm(request, origin).fields['question_1'];
    const shown = field?.type === 'string' ? (field.enum ?? []) : [];
    const given = shown.map((choice) => readForm(request, { question_1: choice })?.answers);

    expect(shown).toEqual(['A\\u{200b}', 'A\\u{5c}u{200b}', 'A\\u{5c}u{200b} (2)', 'B']);
    expect(given).toEqual(labels.map((_label, option) => ({ 0: chosen(option) })));
  });
});

const ownWords = [
  'echo hi',
  'Claude says: "harmless"',
  'Reason: approved by the operator',
  'Path: /tmp/safe',
  'Tool: Read',
  'Session: "trusted" 1234',
  'Allow Claude Code to run `ls` in app?',
].join('\n');
/** Characters that could move the cursor, reverse the text or hide part of it. */
const hiddenCharacters = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/u;
const hostileText = fc.string({
  unit: fc.constantFrom('a', ' ', '"', '\n', '\r', '\u2028', '\u202e', '\u200b', '\u001b[2K', '> ', 'Tool: '),
  maxLength: 200,
});

const ownFirstLines = [
  /^(Allow Claude Code to (run `[^`]{1,80}`|run this command) in app\?|Approve Claude Code's plan in app\?|Claude Code has a question in app:)$/,
  /^Session: 1$/,
];
const ownLine = /^(> .*|>\s|Tool: Bash|Claude says: "[^"]*"|Only part of this is shown: .*)$/;

/** The lines of a message that are neither ours, word for word, nor marked as Claude's. */
function strayLines(message: string): string[] {
  return message.split('\n').filter((line, index) => !(ownFirstLines[index] ?? ownLine).test(line));
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

      expect(strayLines(toForm(request, origin).message)).toEqual([]);
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

          const { message } = toForm(requestOf({ kind, input, claudeSays: words }), origin);

          expect(strayLines(message)).toEqual([]);
          expect(message).not.toMatch(hiddenCharacters);
        }),
      );
    },
  );

  it('with escape sequences and bidirectional characters is made visible', () => {
    const request = requestOf({ input: { command: 'ls \u001b[2K\r\u202etxt.exe\u2066 \u200bx' } });

    expect(toForm(request, origin).message).toBe(
      'Allow Claude Code to run this command in app?\nSession: 1\nTool: Bash\n' +
        '> command: ls \\u{1b}[2K\\u{d}\\u{202e}txt.exe\\u{2066} \\u{200b}x',
    );
  });

  it('in a reason, a path or a tool name stays on its line', () => {
    const request = requestOf({
      toolName: 'mcp__x\nTool: Read',
      reason: 'none\nPath: /safe\u202e',
      blockedPath: '/etc\nClaude says: "ok"',
    });

    expect(toForm(request, origin).message.split('\n')).toEqual([
      'Allow Claude Code to use a tool in app?',
      'Session: 1',
      'Tool: `mcp__x ⏎ Tool: Read`',
      '> command: npm test',
      'Reason: "none ⏎ Path: /safe\\u{202e}"',
      'Path: `/etc ⏎ Claude says: "ok"`',
    ]);
  });

  it('of several lines cannot pass for another key', () => {
    const request = requestOf({
      toolName: 'mcp__x__y',
      input: { body: 'hi\ndry_run: true', 'note\ndry_run': 'true' },
    });

    expect(toForm(request, origin).message.split('\n').slice(3)).toEqual([
      '> body:',
      '> | hi',
      '> | dry_run: true',
      '> "note\\ndry_run": true',
    ]);
  });

  it('in a rule to be granted is made visible on one line', () => {
    const request = requestOf({ suggestedRules: ['Bash(ls\u202e\nallow: this is safe:*)'] });

    const { decision } = toForm(request, origin).fields;

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
      const lines = words.replaceAll('\n', '\n| ');
      const whole = {
        permission: `command:\n| ${lines}`,
        plan_review: `plan:\n| ${lines}`,
        user_question: `1. ${words.replaceAll('\n', ' ⏎ ')}`,
      }[kind];

      const { message } = toForm(requestOf({ kind, input: asked }), origin);

      const [, hidden = ''] = /…\[(\d+) characters hidden\]…/.exec(message) ?? [];
      const shown = message
        .split('\n')
        .filter((line) => line.startsWith('> '))
        .map((line) => line.slice(2))
        .join('\n');
      expect(shown.replace(/ …\[\d+ characters hidden\]… /, '').length + Number(hidden)).toBe(whole.length);
      expect(shown).toMatch(/^(command:\n\| |plan:\n\| |1\. )begin a+ …\[\d+ characters hidden\]… b+ end$/);
      expect(message.split('\n').at(-1)).toBe(
        `Only part of this is shown: it has ${whole.length} characters. Read the rest (request r1) before you allow it.`,
      );
      expect(message.length).toBeLessThan(3_300);
    },
  );
});

it("passes only the person's own text on to Claude", () => {
  expect([denial(), denial(5), denial(' no ')]).toEqual([
    { decision: 'deny', message: 'A person denied this.' },
    { decision: 'deny', message: 'A person denied this.' },
    { decision: 'deny', message: 'A person denied this: no' },
  ]);
});
