import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors.js';
import type { InputKind } from '../../../src/core/session/events.js';
import { toAnswer, type GivenResponse } from '../../../src/toolsets/sessions/to-answer.js';

const allow = (updatedInput?: Record<string, unknown>): GivenResponse => ({
  decision: 'allow',
  updatedInput,
});

describe('an answer', () => {
  it.each<[string, InputKind, GivenResponse, object]>([
    ['a permission', 'permission', allow(), { decision: 'allow' }],
    [
      'a permission, edited',
      'permission',
      allow({ command: 'ls' }),
      { decision: 'allow', updatedInput: { command: 'ls' } },
    ],
    ['a denial', 'permission', { decision: 'deny', reason: 'No.' }, { decision: 'deny', message: 'No.' }],
    [
      'a reason to allow, which nobody needs',
      'permission',
      { decision: 'allow', reason: 'Fine.' },
      { decision: 'allow' },
    ],
    ['a plan', 'plan_review', allow(), { decision: 'allow' }],
    [
      'a plan, edited',
      'plan_review',
      allow({ plan: 'B', planFilePath: '/p' }),
      { decision: 'allow', plan: 'B' },
    ],
    [
      'a list of answers',
      'user_question',
      allow({ questions: [{ question: 'Which?', options: ['a'] }], answers: ['a', ['b', 'c']] }),
      { decision: 'allow', answers: { 0: 'a', 1: ['b', 'c'] } },
    ],
    [
      'answers by question',
      'user_question',
      allow({ answers: { 'Which?': { answer: 'a', notes: 'n' } }, annotations: {} }),
      {
        decision: 'allow',
        answers: { 'Which?': { answer: 'a', notes: 'n' } },
        updatedInput: { annotations: {} },
      },
    ],
    ['a question without answers', 'user_question', allow(), { decision: 'allow' }],
  ])('that is %s is taken', (_what, kind, response, expected) => {
    expect(toAnswer({ kind }, response)).toEqual(expected);
  });

  it.each<[string, InputKind, Record<string, unknown>, RegExp]>([
    ['no plan', 'plan_review', {}, /updatedInput of a plan_review must be \{plan\}/],
    ['a plan that is no text', 'plan_review', { plan: 7 }, /updatedInput of a plan_review must be \{plan\}/],
    ['one text for all', 'user_question', { answers: 'a' }, /answers must be a list/],
    ['a number', 'user_question', { answers: [7] }, /answers must be a list/],
    ['nothing for one of them', 'user_question', { answers: ['a', null] }, /answers must be a list/],
  ])('that has %s is refused', (_what, kind, updatedInput, words) => {
    const answer = (): unknown => toAnswer({ kind }, allow(updatedInput));

    expect(answer).toThrow(AppError);
    expect(answer).toThrow(words);
  });
});
