import { describe, expect, it } from 'vitest';
import { editableOf, problemOf } from '../../../web/inbox/editing.js';
import { commandCard, planCard } from '../samples.js';

const hidden = String.raw`ls \u{200b}`;
const refused = String.raw`Hidden characters cannot be edited. Remove \u{200b}, or discard your changes.`;

/** A command with this text, in which these keys have hidden characters. */
function commandOf(command: string, escaped: readonly string[]) {
  const input = { command, description: hidden };
  return editableOf(commandCard({ what: { type: 'command', command, more: {} }, input, escaped }));
}

describe('a text with hidden characters', () => {
  it.each([
    ['is not edited', hidden, undefined],
    ['is edited around them', `${hidden} -l`, refused],
    ['is edited without them', 'ls -l', undefined],
  ])('that %s', (_what, edited, problem) => {
    expect(problemOf(commandOf(hidden, ['command', 'description']), edited)).toBe(problem);
  });

  it('is edited freely around what only looks like one', () => {
    const shown = String.raw`ls \u{5c}u{200b} \u{1f600}`;

    expect(problemOf(commandOf(shown, ['command']), `${shown} -l`)).toBeUndefined();
    expect(problemOf(commandOf(`${shown} ${hidden}`, ['command']), `${shown} ${hidden} -l`)).toBe(refused);
  });

  it('is recognised in a plan', () => {
    const what = { type: 'plan', markdown: hidden, more: {} } as const;
    const editable = editableOf(planCard({ what, input: { plan: hidden }, escaped: ['plan'] }));

    expect(problemOf(editable, `${hidden}!`)).toBe(refused);
  });

  it('does not forbid to edit another text', () => {
    const editable = commandOf('ls', ['description']);

    expect([editable.isEscaped, problemOf(editable, hidden)]).toEqual([false, undefined]);
  });
});

describe('an input as JSON', () => {
  const input = { path: String.raw`\u{200b}`, depth: 1 };
  const card = commandCard({ toolName: 'Look', what: { type: 'input', input }, input, escaped: ['path'] });

  it.each([
    ['is no object', '[]', 'This is not a JSON object.'],
    ['leaves a text with hidden characters alone', JSON.stringify({ ...input, depth: 2 }), undefined],
  ])('that %s', (_what, edited, problem) => {
    expect(problemOf(editableOf(card), edited)).toBe(problem);
  });
});
