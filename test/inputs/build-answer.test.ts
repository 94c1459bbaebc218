import { describe, expect, it } from 'vitest';
import type { InputRequest } from '../../src/core/session/inputs.js';
import { mask } from '../../src/core/observability/mask.js';
import { buildAnswer, type GivenAnswer } from '../../src/inputs/build-answer.js';
import type { GivenAnswers } from '../../src/inputs/questions.js';
import { asyncVocabulary } from '../../src/toolsets/async/wording/vocabulary.js';
import { nextStepFor } from '../../src/toolsets/shared/wording/next-step.js';
import { refusalOf } from '../kit/refusal.js';

const question = { question: 'Which DB?', multiSelect: false, options: [{ label: 'Redis' }] };
const extras = { question: 'Extras?', multiSelect: true, options: [] };

function request(kind: InputRequest['kind'], input: Record<string, unknown> = {}): InputRequest {
  const ask = { kind, toolName: 'T', toolUseId: 'toolu_1', input };
  return {
    ...ask,
    shown: ask,
    requestId: 'r1',
    sessionId: 's1',
    askedAt: 0,
    expiresAt: undefined,
  };
}

describe('an answer', () => {
  it.each<[string, InputRequest, GivenAnswer, unknown]>([
    ['an approval', request('permission'), { decision: 'allow' }, { decision: 'allow' }],
    [
      'an edited input',
      request('permission', { command: 'a' }),
      { decision: 'allow', updatedInput: { command: 'b' } },
      { decision: 'allow', updatedInput: { command: 'b' } },
    ],
    [
      'a denial',
      request('plan_review'),
      { decision: 'deny', message: 'no', interrupt: true },
      { decision: 'deny', message: 'no', interrupt: true },
    ],
    [
      'a bare denial',
      request('permission'),
      { decision: 'deny' },
      { decision: 'deny', message: 'The caller denied this.', interrupt: false },
    ],
    [
      'an edited plan and the mode after it',
      request('plan_review', { planFilePath: '/p' }),
      { decision: 'allow', plan: 'better', nextMode: 'acceptEdits' },
      { decision: 'allow', updatedInput: { planFilePath: '/p', plan: 'better' }, nextMode: 'acceptEdits' },
    ],
    [
      'answers by text and number, several and with notes',
      request('user_question', { questions: [question, extras] }),
      { decision: 'allow', answers: { 'Which DB?': { answer: 'Redis', notes: 'v7' }, 1: ['A', 'B'] } },
      {
        decision: 'allow',
        updatedInput: {
          questions: [question, extras],
          answers: { 'Which DB?': 'Redis', 'Extras?': 'A, B' },
          annotations: { 'Which DB?': { notes: 'v7' } },
        },
      },
    ],
    [
      'an approval with fields that say nothing',
      request('permission', { command: 'a' }),
      { decision: 'allow', message: '', interrupt: false, answers: {}, plan: '', updates: [] },
      { decision: 'allow', updates: [] },
    ],
    [
      'a denial with fields that say nothing',
      request('permission', { command: 'a' }),
      { decision: 'deny', message: 'no', updatedInput: {}, answers: {}, updates: [] },
      { decision: 'deny', message: 'no', interrupt: false },
    ],
    [
      'an answer to a question that is also named with an empty one',
      request('user_question', { questions: [question, extras] }),
      { decision: 'allow', answers: { 0: '', 'Which DB?': 'Redis' } },
      {
        decision: 'allow',
        updatedInput: { questions: [question, extras], answers: { 'Which DB?': 'Redis' } },
      },
    ],
    [
      'answers of which one is empty',
      request('user_question', { questions: [question, extras] }),
      { decision: 'allow', answers: { 0: 'Redis', 1: [] } },
      {
        decision: 'allow',
        updatedInput: { questions: [question, extras], answers: { 'Which DB?': 'Redis' } },
      },
    ],
  ])('is built from %s', (_name, asked, given, expected) => {
    expect(buildAnswer(asked, given)).toEqual(expected);
  });

  it('gives each question the answer of its number, whatever the headers and questions of others are', () => {
    const questions = [
      { question: 'Delete the old data?', header: '1' },
      { question: 'Keep a backup?', header: '2' },
      { question: '0', header: '0' },
    ];
    const answers = { 0: 'No', 1: 'Yes', 2: 'Maybe' };

    const built = buildAnswer(request('user_question', { questions }), { decision: 'allow', answers });

    expect(built).toMatchObject({
      updatedInput: { answers: { 'Delete the old data?': 'No', 'Keep a backup?': 'Yes', 0: 'Maybe' } },
    });
  });

  it('answers by what was shown, if it has escapes', () => {
    const questions = [
      {
        question: 'Which\u200b?',
        options: [{ label: 'none' }, { label: 'a\u200b' }, { label: '\\u{200b}' }],
      },
      {
        question: 'How is \\u{200b} shown?',
        multiSelect: true,
        options: [{ label: '\u200b' }, { label: 'b' }],
      },
    ];
    const answers = {
      'Which\\u{200b}?': 'a\\u{200b}',
      'How is \\u{5c}u{200b} shown?': ['\\u{200b}', 'b', '\\u{5c}u{200b}'],
    };

    const built = buildAnswer(request('user_question', { questions }), { decision: 'allow', answers });

    expect(built).toMatchObject({
      updatedInput: {
        answers: { 'Which\u200b?': 'a\u200b', 'How is \\u{200b} shown?': '\u200b, b, \\u{5c}u{200b}' },
      },
    });
  });

  describe('if one option or question reads like another one is written', () => {
    const questions = ['Which\u200b?', 'Which\\u{200b}?'].map((question) => ({
      question,
      options: [{ label: 'Keep\u200b' }, { label: 'Keep\\u{200b}' }],
    }));
    const answer = (answers: GivenAnswers) =>
      buildAnswer(request('user_question', { questions }), { decision: 'allow', answers });

    it.each([
      [{ 0: 'Keep\\u{200b}' }, 'option_ambiguous'],
      [{ 0: { answer: ['Keep\\u{200b}'] } }, 'option_ambiguous'],
      [{ 'Which\\u{200b}?': 'yes' }, 'question_ambiguous'],
    ])('is refused: %j', (answers, reason) => {
      expect(() => answer(answers)).toThrow(expect.objectContaining({ reason }));
    });

    it.each([
      [{ 0: 'Keep\u200b' }, { 'Which\u200b?': 'Keep\u200b' }],
      [{ 1: 'Keep\\u{5c}u{200b}' }, { 'Which\\u{200b}?': 'Keep\\u{200b}' }],
      [{ 'Which\\u{5c}u{200b}?': [{ option: 1 }] }, { 'Which\\u{200b}?': 'Keep\\u{200b}' }],
      [{ 0: [{ option: 0 }] }, { 'Which\u200b?': 'Keep\u200b' }],
      [{ 0: 'The one without a hidden character' }, { 'Which\u200b?': 'The one without a hidden character' }],
    ])('is answered by what names only one: %j', (answers, built) => {
      expect(answer(answers)).toMatchObject({ updatedInput: { answers: built } });
    });
  });

  it('takes no number for a header', () => {
    const questions = [
      { question: 'Delete the old data?', header: '1' },
      { question: 'Keep a backup?', header: '2' },
    ];
    const answers = { 1: 'No', 2: 'Yes' };

    expect(() =>
      buildAnswer(request('user_question', { questions }), { decision: 'allow', answers }),
    ).toThrow(expect.objectContaining({ reason: 'question_unknown' }));
  });

  it.each<[string, InputRequest, GivenAnswer]>([
    ['a message with an approval', request('permission'), { decision: 'allow', message: 'fine' }],
    [
      'an edited input with a denial',
      request('permission'),
      { decision: 'deny', updatedInput: { command: 'b' } },
    ],
    [
      'an empty input in place of one with content',
      request('permission', { path: '/a' }),
      { decision: 'allow', updatedInput: {} },
    ],
    ['a plan for a permission', request('permission'), { decision: 'allow', plan: 'p' }],
    ['a plan without words', request('plan_review', { plan: 'do it' }), { decision: 'allow', plan: ' \n' }],
    ['answers to a plan', request('plan_review'), { decision: 'allow', answers: { 0: 'yes' } }],
    ['a mode after a question', request('user_question'), { decision: 'allow', nextMode: 'default' }],
    [
      'a plan that contains the mask of a secret',
      request('plan_review', { plan: 'use s3cret' }),
      { decision: 'allow', plan: `use ${mask} twice` },
    ],
    [
      'an input with more masks than the original',
      request('permission', { command: `echo ${mask} s3cret` }),
      { decision: 'allow', updatedInput: { command: `echo ${mask} ${mask}` } },
    ],
    [
      'an answer to an unknown question',
      request('user_question', { questions: [question] }),
      { decision: 'allow', answers: { x: 'y' } },
    ],
    [
      'a question that is answered by its text and by its number',
      request('user_question', { questions: [extras] }),
      { decision: 'allow', answers: { 'Extras?': 'A', 0: 'B' } },
    ],
    [
      'two answers to a single-choice question',
      request('user_question', { questions: [question] }),
      { decision: 'allow', answers: { 0: ['a', 'b'] } },
    ],
  ])('is refused for %s', (_name, asked, given) => {
    const refusal = refusalOf(() => buildAnswer(asked, given));

    expect(refusal.code).toBe('INVALID_ARGUMENT');
    expect(nextStepFor(refusal, asyncVocabulary)).toContain('still open');
  });
});
