/** What a model writes can be megabytes of characters that must be escaped. The server serves others meanwhile. */
import { expect, it } from 'vitest';
import { refuseBadEdit } from '../../src/inputs/edited-input.js';
import { formText, titleOf } from '../../src/inputs/form-text.js';
import { quoteCode, quoteWords } from '../../src/inputs/quote.js';
import { oneLine } from '../../src/core/text/escape.js';
import { givenIn } from '../../src/page/answers.js';
import type { JsonObject } from '../../src/core/json.js';
import type { InputRequest } from '../../src/core/session/inputs.js';
import { plainAsk } from '../kit/fake-backend.js';

const origin = { session: 'one', folder: '/srv/app' };
const count = 9_000_000;

it.each([
  ['line breaks', '\n'],
  ['combining marks', '\u0301'],
  ['invisible characters', '\u200b'],
  ['backticks', '`'],
  ['short lines', 'ab cd\n'],
])('a request with megabytes of %s is put into words at once', (_what, unit) => {
  const command = `begin ${unit.repeat(count / unit.length)} end`;
  const ask = { ...plainAsk, toolName: 'Bash', input: { command } };
  const request = { ...ask, shown: ask, requestId: 'r1', sessionId: 's1', askedAt: 0, expiresAt: undefined };
  const start = performance.now();

  const form = formText(request, origin);
  const texts = [titleOf(ask), ...[quoteCode, quoteWords, oneLine].map((cut) => cut(command, 200))];

  // It takes some 30 ms. With all of the input escaped, it took many seconds.
  expect(performance.now() - start).toBeLessThan(1_000);
  for (const text of [form, ...texts]) {
    expect(text).toMatch(/begin [^]* end/);
    expect(text).toMatch(/…\[(more than )?\d+ (characters hidden|lines|empty lines)\]…/);
  }
  const [, total = ''] = /Only part of this is shown: it has (\d+) characters/.exec(form) ?? [];
  expect(Number(total)).toBeGreaterThanOrEqual(command.length);
});

it('the note of a very long text counts all that it hides', () => {
  const text = `begin ${'a'.repeat(count)} end`;

  const [head = '', hidden = '', tail = ''] = oneLine(text, 200).split(/ …\[(\d+) characters hidden\]… /);

  expect(head.length + Number(hidden) + tail.length).toBe(text.length);
});

it.each([
  ['of a caller', (request: InputRequest, input: object) => refuseBadEdit(request, { ...input })],
  [
    'of a person',
    (request: InputRequest, input: JsonObject) =>
      void givenIn({ requestId: 'r1', decision: 'allow', input }, request),
  ],
])('edits %s look through a long input once, however many there are', (_who, judge) => {
  const ask = { ...plainAsk, toolName: 'Bash', input: { command: `ls ${'\u200b'.repeat(500_000)}` } };
  const request = { ...ask, shown: ask, requestId: 'r1', sessionId: 's1', askedAt: 0, expiresAt: undefined };
  judge(request, { command: 'ls -a' });
  const start = performance.now();

  for (let edit = 0; edit < 30; edit += 1) judge(request, { command: `ls ${edit}` });

  // It takes a few milliseconds. With all of the input for each edit, it took seconds.
  expect(performance.now() - start).toBeLessThan(500);
});
