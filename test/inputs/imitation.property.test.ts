import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputAsk, InputRequest } from '../../src/core/session/inputs.js';
import { toForm } from '../../src/inputs/form.js';
import { presentInput } from '../../src/inputs/present.js';
import { createRedactor } from '../../src/observability/redact/redact.js';
import { pendingInputs } from '../../src/toolsets/sessions/pending-inputs.js';
import { plainAsk } from '../kit/fake-backend.js';

/** Parts of our own text, and characters that look like them, like nothing, or like a blank. */
const quotationMarks = ['"', "'", '`', '“', '”', '„', '’', '‘', '«', '»', '″', '＂', '❞', '〞', '｀'];
const odd = ['\u0301', '\u2800', '\u3000', '\u00a0', '\u200b', '\u202e', '\u3164', '\ue000', '\ud800'];
const gaps = [' ', '\n', '\r\n', '\t', ' '.repeat(30)];
const labels = ['. Claude says: "', 'Reason: "', 'Path: `', 'Tool: Read', 'Session: "', 'Subagent: "'];
const structure = ['> ', '| ', '1. ', '  - ', 'timeout: 5'];
const marks = ['[secret of 9 characters]', '[redacted]', '…[5 characters hidden]…', '…[40 spaces]…'];
const hostileText = fc.string({
  unit: fc.constantFrom('a', ...quotationMarks, ...odd, ...gaps, ...labels, ...structure, ...marks),
  minLength: 1,
  maxLength: 12,
});
const ownMark = /\[secret of|\[redacted|\[5 characters hidden/;
const blank = /(?![\n\t ])[\p{Z}\p{C}\u2800\u3164]/u;
const quoted = String.raw`"[^"“”„’‘«»″＂❞〞]*"`;
const code = '`[^`｀]*`';

/** A request as the broker shows it. */
function requestOf(changes: Partial<InputAsk>): InputRequest {
  const ask = { ...plainAsk, ...changes };
  const shown = createRedactor({}).maskForApprover(ask);
  return { ...ask, shown, requestId: 'r1', sessionId: 's1', askedAt: 0, expiresAt: undefined };
}

const anyWords = fc.record({
  claudeSays: hostileText,
  reason: hostileText,
  blockedPath: hostileText,
  folder: hostileText,
  leadsTo: fc.tuple(hostileText),
  agent: hostileText,
});
const anyInput = fc.dictionary(hostileText, fc.oneof(hostileText, fc.array(hostileText, { maxLength: 3 })), {
  maxKeys: 3,
});

function expectNothingOfOurs(text: string): void {
  expect(text).not.toMatch(ownMark);
  expect(text).not.toMatch(blank);
}

describe('no text of the agent looks like ours', () => {
  it('in the form of a permission: its lines and keys are those of the request', () => {
    const ownLines = [
      /^Allow Claude Code to (run `[^`｀]+`|run this command)( in [\w.-]+)?\?$/,
      /^Session: 1$/,
      new RegExp(`^Present folder: ${code}$`),
      new RegExp(`^Subagent: ${quoted}$`),
      /^Tool: Bash$/,
      new RegExp(`^Leads to: ${code}$`),
      new RegExp(`^Claude says: ${quoted}$`),
      new RegExp(`^Reason: ${quoted}$`),
      new RegExp(`^Path: ${code}$`),
    ];
    fc.assert(
      fc.property(anyWords, hostileText, anyInput, (words, command, more) => {
        const input = { ...more, command };

        const { message } = toForm(requestOf({ ...words, input }), { session: '1', folder: '/srv/app' });

        const lines = message.split('\n');
        const keyLines = lines.filter((line) => line.startsWith('> ') && !line.startsWith('> | '));
        const ours = lines.filter((line) => !line.startsWith('> '));
        expect(keyLines).toHaveLength(Object.keys(input).length);
        for (const line of keyLines) expect(line).toMatch(/^> ([\w.-]+|"([^"\\]|\\.)+"):/);
        expect(ours).toHaveLength(ownLines.length);
        for (const [index, line] of ours.entries()) expect(line).toMatch(ownLines[index] ?? /never/);
        expectNothingOfOurs(message);
      }),
    );
  });

  it('in the form of a question: its lines and options are those of the request', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 3 }), hostileText, (asked, label) => {
        const questions = asked.map((question) => ({ question, options: [{ label, description: label }] }));
        const request = requestOf({
          kind: 'user_question',
          toolName: 'AskUserQuestion',
          input: { questions },
        });

        const { message, fields } = toForm(request, { session: '1', folder: '/srv/app' });

        const lines = message.split('\n').slice(2);
        expect(lines).toHaveLength(2 * asked.length);
        for (const [index, line] of lines.entries()) {
          expect(line.startsWith(index % 2 === 0 ? `> ${index / 2 + 1}. ` : '>   - ')).toBe(true);
        }
        for (const [index] of asked.entries())
          expect(fields[`question_${index + 1}`]?.title).toMatch(new RegExp(`^${quoted}$`));
        expectNothingOfOurs(message);
      }),
    );
  });

  it('in the summary of an action', () => {
    fc.assert(
      fc.property(anyWords, hostileText, (words, command) => {
        const { summary } = presentInput(requestOf({ ...words, input: { command } }), 6_000, 'all');

        expect(summary).toMatch(new RegExp(`^Bash: ${code}\\. Claude says: ${quoted}$`));
        expectNothingOfOurs(summary);
      }),
    );
  });

  it('in the description of a pending input', () => {
    fc.assert(
      fc.property(anyWords, hostileText, (words, command) => {
        const request = requestOf({ ...words, input: { command } });

        const shown = pendingInputs([request], { rights: 'all', read: {} })(6_000);
        const [{ description }] = JSON.parse(JSON.stringify(shown)).pendingInputs as [
          { description: string },
        ];

        expect(description).toMatch(
          new RegExp(
            `^Bash: ${code}\\. Claude says: ${quoted}\\. Present folder: ${code}\\. Leads to: ${code}\\. Reason: ${quoted}\\. Path: ${code}\\. Subagent: ${quoted}$`,
          ),
        );
        expectNothingOfOurs(description);
      }),
    );
  });

  it('in the summary of a plan or a question', () => {
    fc.assert(
      fc.property(hostileText, (words) => {
        const plan = requestOf({ kind: 'plan_review', toolName: 'ExitPlanMode', input: { plan: words } });
        const question = requestOf({
          kind: 'user_question',
          toolName: 'AskUserQuestion',
          input: { questions: [{ question: words }] },
        });

        expect(presentInput(plan, 6_000, 'all').summary).toMatch(
          new RegExp(`^Claude asks for approval of its plan ${quoted}$`),
        );
        expect(presentInput(question, 6_000, 'all').summary).toMatch(new RegExp(`^Claude asks: ${quoted}$`));
      }),
    );
  });
});
