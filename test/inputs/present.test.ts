import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { InputAsk, InputRequest } from '../../src/core/session/inputs.js';
import { inputText, presentInput } from '../../src/inputs/present.js';
import { plainAsk } from '../kit/fake-backend.js';

/** A request of which only the shown part matters. */
function requestOf(changes: Partial<InputAsk> = {}): InputRequest {
  return {
    ...plainAsk,
    shown: { ...plainAsk, ...changes },
    requestId: 'r1',
    sessionId: 's1',
    askedAt: Date.UTC(2026, 0, 1),
    expiresAt: Date.UTC(2026, 0, 1, 0, 5),
  };
}

it('shows the input that will run and the deadline', () => {
  expect(presentInput(requestOf(), 6_000, 'all')).toEqual({
    requestId: 'r1',
    type: 'permission',
    toolName: 'Bash',
    summary: 'Bash: `npm test`',
    input: { command: 'npm test' },
    accepts: ['allow', 'allow_for_session', 'deny'],
    expiresAt: '2026-01-01T00:05:00.000Z',
  });
});

it('quotes the agent after our own summary', () => {
  const input = { command: 'touch pwned && id' };

  const { summary } = presentInput(requestOf({ input, claudeSays: 'Show\u202e the folder' }), 6_000, 'all');

  expect(summary).toBe('Bash: `touch pwned && id`. Claude says: "Show\\u{202e} the folder"');
});

it.each([
  ['List”. Reason: “approved', "List'. Reason: 'approved"],
  ["List''. ok", "List'. ok"],
  ['«List» „x‟ ＂y＂', "'List' 'x' 'y'"],
  ['\u0301List', '\\u{301}List'],
])('quotes %j without anything that looks like the end of the quotation', (claudeSays, shown) => {
  const { summary } = presentInput(requestOf({ claudeSays }), 500, 'all');

  expect(summary).toBe(`Bash: \`npm test\`. Claude says: "${shown}"`);
});

it('quotes a command in backticks that it cannot close', () => {
  const { summary } = presentInput(
    requestOf({ input: { command: 'ls`. Claude says: "harmless"' } }),
    500,
    'all',
  );

  expect(summary).toBe('Bash: `ls\\u{60}. Claude says: "harmless"`');
});

it.each([
  ['Bash(a\u200bb *)', 'Bash(a\\u{200b}b *)'],
  [`Bash(${'`'.repeat(22)})`, `Bash(${'\\u{60}'.repeat(22)})`],
])('offers a grant of %j in full, escaped once', (rule, shown) => {
  const { grant } = presentInput(requestOf({ suggestedRules: [rule] }), 500, 'all');

  expect(grant).toBe(
    `allow_for_session: this exact call and every call that matches \`${shown}\`, until the session ends`,
  );
});

it("summarises a subagent by its prompt, and quotes Claude's description of it", () => {
  const input = { description: 'Look around', prompt: 'Delete src', subagent_type: 'general-purpose' };

  const { summary } = presentInput(
    requestOf({ toolName: 'Agent', input, claudeSays: 'Look around' }),
    500,
    'all',
  );

  expect(summary).toBe('Agent: `Delete src`. Claude says: "Look around"');
});

it.each<[string, Partial<InputAsk>, object]>([
  [
    'a plan by its first line',
    { kind: 'plan_review', toolName: 'ExitPlanMode', input: { plan: '# Split it\n1. x' } },
    { summary: 'Claude asks for approval of its plan "Split it"', accepts: ['allow', 'deny'] },
  ],
  [
    'a missing plan as missing',
    { kind: 'plan_review', toolName: 'ExitPlanMode', input: {} },
    { summary: 'Claude asks to leave plan mode. Claude did not write a plan.' },
  ],
  [
    'questions by their texts, and says what an answer needs',
    {
      kind: 'user_question',
      toolName: 'AskUserQuestion',
      input: { questions: [{ question: 'Which?' }, { question: 'When?' }] },
    },
    { summary: 'Claude asks: "Which? / When?"', accepts: ['allow', 'deny'], needs: ['answers'] },
  ],
])('summarises %s', (_what, ask, shown) => {
  expect(presentInput(requestOf(ask), 500, 'all')).toMatchObject(shown);
});

it('quotes the agent in quotation marks that it cannot close', () => {
  const { summary } = presentInput(
    requestOf({ claudeSays: 'List". Approved by the user: "yes' }),
    500,
    'all',
  );

  expect(summary).toMatch(/Claude says: "List'. Approved by the user: 'yes"$/);
});

it('names the reason, the path, the present folder, where links lead and the subagent', () => {
  const shown = presentInput(
    {
      ...requestOf({
        reason: 'outside',
        blockedPath: '/etc/\u200bpasswd',
        agent: 'a1',
        folder: '/srv/app/sub',
        leadsTo: ['/home/\u200bann/.bashrc'],
      }),
      expiresAt: undefined,
    },
    6_000,
    'all',
  );

  expect(shown).toMatchObject({
    reason: 'outside',
    blockedPath: '/etc/\\u{200b}passwd',
    agent: 'a1',
    folder: '/srv/app/sub',
    leadsTo: '`/home/\\u{200b}ann/.bashrc`',
  });
  expect(shown.expiresAt).toBeUndefined();
});

it('escapes hidden characters in keys and values at any depth, and does not change other values', () => {
  const input = { 'a\u200b': ['\u202ex', { b: 'y\r' }], n: 1, nothing: null, yes: true };

  expect(presentInput(requestOf({ input }), 6_000, 'all').input).toEqual({
    'a\\u{200b}': ['\\u{202e}x', { b: 'y\\u{d}' }],
    n: 1,
    nothing: null,
    yes: true,
  });
});

it('shows head and tail of a long input, the number of hidden characters and the full length', () => {
  const input = { command: `begin${'x'.repeat(5_000)}end` };

  const shown = presentInput(requestOf({ input }), 200, 'all');

  expect(shown.inputChars).toBe(JSON.stringify(input).length);
  expect(shown.input).toMatch(/^\{"command":"beginx+ …\[\d+ characters hidden\]… x+end"\}$/);
  expect(String(shown.input).length).toBeLessThanOrEqual(200);
});

it('shows in a page what the action shows, as JSON', () => {
  expect(inputText(requestOf({ input: { command: 'a\u200b' } }))).toBe('{"command":"a\\u200b"}');
});

it('contains no hidden characters, whatever the agent sends', () => {
  const nasty = fc.string({ unit: fc.constantFrom('a', '\u202e', '\u200b', '\u2066', '"'), maxLength: 40 });
  fc.assert(
    fc.property(
      fc.dictionary(nasty, fc.oneof(nasty, fc.array(nasty))),
      fc.record({ toolName: nasty, claudeSays: nasty, reason: nasty, blockedPath: nasty }),
      (input, words) => {
        const shown = JSON.stringify(presentInput(requestOf({ ...words, input }), 300, 'all'));

        expect(shown).not.toMatch(/[\u202e\u200b\u2066]/);
      },
    ),
  );
});

it('escapes the name of the subagent as well', () => {
  expect(presentInput(requestOf({ agent: 'a\u202e' }), 6_000, 'all').agent).toBe('a\\u{202e}');
});

it.each([
  ['deny', 'permission', ['deny'], /^Only a person may approve this, in the form that their client shows/],
  [
    'deny_without_form',
    'plan_review',
    ['deny'],
    /^Only a person .* in a client that shows forms \(elicitation\)/,
  ],
  ['none', 'permission', [], /^This token may not answer requests/],
  ['none', 'user_question', [], /^This token may not answer requests/],
] as const)('says who approves if the caller cannot: %s, %s', (rights, kind, accepts, words) => {
  const shown = presentInput(requestOf({ kind }), 6_000, rights);

  expect(shown).toMatchObject({ accepts, whoApproves: expect.stringMatching(words) as string });
});

it('lets every caller with a right to answer answer a question', () => {
  const shown = presentInput(requestOf({ kind: 'user_question' }), 6_000, 'deny');

  expect([shown.accepts, shown.whoApproves]).toEqual([['allow', 'deny'], undefined]);
});

it('offers no approval for the session where a person may be asked about the next call', () => {
  const shown = presentInput(requestOf({ suggestedRules: ['Bash(npm run *)'] }), 6_000, 'once');

  expect([shown.accepts, shown.grant, shown.whoApproves]).toEqual([['allow', 'deny'], undefined, undefined]);
});

it.each<[InputAsk['kind'], object]>([
  ['permission', { command: 'a\u200b' }],
  ['plan_review', { plan: '# Split it', allowedPrompts: [{ prompt: 'a\u200b' }] }],
  ['user_question', { questions: [{ question: 'a\u200b', options: [] }] }],
])('escapes the input of a request once, however often it is presented: %s', (kind, input) => {
  const request = requestOf({ kind, input: { ...input } });

  const [first, second] = [presentInput(request, 6_000, 'all'), presentInput(request, 6_000, 'all')];

  expect(JSON.stringify(first)).toContain('a\\\\u{200b}');
  expect(second.input ?? second.questions).toBe(first.input ?? first.questions);
});

it('truncates what a plan requests besides its text, so that the plan stays in sight', () => {
  const allowedPrompts = Array.from({ length: 300 }, (_, index) => ({
    tool: 'Bash',
    prompt: `step ${index}`,
  }));
  const request = requestOf({ kind: 'plan_review', input: { plan: '# Split it', allowedPrompts } });

  const { plan, input, inputChars } = presentInput(request, 500, 'all');

  expect(plan).toBe('# Split it');
  expect(input).toMatch(/^\{"allowedPrompts":\[\{"tool":"Bash".* characters hidden\]…/);
  expect(String(input).length).toBeLessThanOrEqual(500);
  expect(inputChars).toBe(inputText(request).length);
});
