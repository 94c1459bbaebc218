import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputAsk, InputRequest } from '../../src/core/session/inputs.js';
import { toForm } from '../../src/inputs/form.js';
import { presentInput } from '../../src/inputs/present.js';
import { createRedactor } from '../../src/observability/redact/redact.js';
import { whatOf } from '../../src/page/what.js';
import { pendingInputs } from '../../src/toolsets/sessions/pending-inputs.js';
import { plainAsk } from '../kit/fake-backend.js';

/** An edit that turns a comment into code: for JavaScript, U+2028 ends the line. */
const before = String.raw`// U+2028 is \u{2028}console.log("runs")`;
const after = before.replace(String.raw`\u{2028}`, '\u2028');

/** A request as the broker shows it. */
function requestOf(input: InputAsk['input'], toolName = 'Edit'): InputRequest {
  const ask = { ...plainAsk, toolName, input };
  const shown = createRedactor({}).maskForApprover(ask);
  return { ...ask, shown, requestId: 'r1', sessionId: 's1', askedAt: 0, expiresAt: undefined };
}

function editOf(from: string, to: string): InputRequest {
  return requestOf({ file_path: '/w/a.js', old_string: from, new_string: to });
}

describe('an edit that replaces what looks like an escape by the hidden character', () => {
  const shown = {
    file_path: '/w/a.js',
    old_string: String.raw`// U+2028 is \u{5c}u{2028}console.log("runs")`,
    new_string: String.raw`// U+2028 is \u{2028}console.log("runs")`,
  };

  it('is shown as a change in a form', () => {
    const { message } = toForm(editOf(before, after), { session: '1', folder: '/w' });

    expect(message.split('\n').filter((line) => line.includes('_string'))).toEqual([
      `> old_string: ${shown.old_string}`,
      `> new_string: ${shown.new_string}`,
    ]);
  });

  it('is shown as a change to a caller', () => {
    const request = editOf(before, after);

    expect(presentInput(request, 6_000, 'all').input).toEqual(shown);
    const pending = pendingInputs([request], { rights: 'all', read: {} })(6_000);
    expect(JSON.parse(JSON.stringify(pending))).toMatchObject({ pendingInputs: [{ toolInput: shown }] });
  });

  it('is shown as a change on the page', () => {
    expect(whatOf(editOf(before, after).shown)).toEqual({
      type: 'edit',
      path: '/w/a.js',
      before: shown.old_string,
      after: shown.new_string,
      isPart: true,
      more: {},
    });
  });

  it('is shown as a change in the summary of a command', () => {
    const [one, other] = [before, after].map((command) => requestOf({ command }, 'Bash'));

    expect(one && presentInput(one, 6_000, 'all').summary).not.toBe(
      other && presentInput(other, 6_000, 'all').summary,
    );
  });
});

it('two texts of an edit look the same only if they are the same', () => {
  const unit = fc.constantFrom('a', '\\', 'u{5c}', 'u{5b}', 'u{200b}', '\u200b', '\u0301', '[redacted]', '⏎');
  const text = fc.string({ unit, maxLength: 6 });
  fc.assert(
    fc.property(text, text, (from, to) => {
      const request = editOf(from, to);
      const what = whatOf(request.shown);
      const input = presentInput(request, 6_000, 'all').input as Record<string, string>;
      const lines = toForm(request, { session: '1', folder: '/w' }).message.split('\n');
      const [old = '', fresh = ''] = lines.filter((line) => line.includes('_string'));

      const isSame = from === to;
      expect(what.type === 'edit' && [what.before === what.after, what.isSame ?? false]).toEqual([
        isSame,
        isSame,
      ]);
      expect(input['old_string'] === input['new_string']).toBe(isSame);
      expect(old.replace('old_', '') === fresh.replace('new_', '')).toBe(isSame);
    }),
    { numRuns: 500 },
  );
});

it('a change is not called none where a secret is hidden in both texts', () => {
  const redactor = createRedactor({ FIRST_TOKEN: 'hunter2-hunter2-A', SECOND_TOKEN: 'hunter2-hunter2-B' });
  const input = redactor.maskForApprover({
    file_path: '/w/a',
    old_string: 'hunter2-hunter2-A',
    new_string: 'hunter2-hunter2-B',
  });

  expect(whatOf({ kind: 'permission', toolName: 'Edit', input })).toEqual({
    type: 'edit',
    path: '/w/a',
    before: '[secret of 17 characters]',
    after: '[secret of 17 characters]',
    isPart: true,
    more: {},
  });
});
