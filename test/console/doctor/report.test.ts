import { expect, it } from 'vitest';
import type { Section } from '../../../src/console/doctor/check.js';
import { reportOf, reportText } from '../../../src/console/doctor/report.js';

const plain = (_color: string, text: string): string => text;

const sections: readonly Section[] = [
  {
    title: 'Claude Code',
    findings: [
      { id: 'claude', status: 'ok', message: 'Claude Code 2.1.325.' },
      { id: 'sign-in', status: 'fail', message: 'It is not signed in.', fix: 'Run claude-code-mcp login.' },
    ],
  },
  { title: 'Clients', findings: [] },
  {
    title: 'Settings',
    findings: [{ id: 'trust', status: 'warn', message: 'Not trusted: \u001b[31mred.', fix: 'Trust it.' }],
  },
];

it('is fine unless a check has failed', () => {
  const [claude, , settings] = sections;

  expect(reportOf(sections)).toEqual({
    ok: false,
    checks: [...(claude?.findings ?? []), ...(settings?.findings ?? [])],
  });
  expect(reportOf(sections.slice(1))).toMatchObject({ ok: true });
});

it('lists what was found, and what to do about each problem', () => {
  expect(reportText(sections, { paint: plain, columns: undefined })).toBe(`Claude Code
  ✓ Claude Code 2.1.325.
  ✗ It is not signed in.
    → Run claude-code-mcp login.

Settings
  ! Not trusted: \\u{1b}[31mred.
    → Trust it.

1 problem to solve, 1 warning.
`);
});

it('breaks lines between words, and keeps them aligned', () => {
  const [claude] = sections;

  expect(reportText([claude ?? { title: '', findings: [] }], { paint: plain, columns: 18 })).toBe(`Claude Code
  ✓ Claude Code
    2.1.325.
  ✗ It is not
    signed in.
    → Run
      claude-code-mcp
      login.

1 problem to solve.
`);
});

it.each([
  [['ok', 'ok'], 'Everything works.'],
  [['ok', 'warn', 'warn'], 'Ready, with 2 warnings.'],
  [['fail', 'fail'], '2 problems to solve.'],
] as const)('sums up %j', (statuses, words) => {
  const findings = statuses.map((status) => ({ id: 'x', status, message: 'x' }));

  const text = reportText([{ title: 'All', findings }], { paint: plain, columns: undefined });

  expect(text.split('\n').at(-2)).toBe(words);
});
