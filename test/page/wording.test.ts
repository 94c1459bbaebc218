import { expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import type { ReasonAndParams } from '../../src/core/reasons/index.js';
import { toPageError } from '../../src/page/create-desk.js';
import { settledInWords } from '../../src/page/wording/settled.js';
import { blindRedactor } from '../kit/redactors.js';
import { samples } from '../mcp/error-samples.js';

const texts = Object.entries(samples).flatMap(([reason, params]) =>
  params.map((one) => {
    const error = new AppError(...([reason, one] as unknown as ReasonAndParams));
    return [reason, toPageError(error, blindRedactor).message] as const;
  }),
);

it('explains every error without naming a tool or a key of one', () => {
  const strangers = texts.filter(([, text]) =>
    /claude_[a-z]+|whenBusy|permissionMode|updatedInput|requestId|sessionId|maxBudgetUsd|resultOffset/.test(
      text,
    ),
  );

  expect(strangers).toEqual([]);
});

it('explains every error in whole sentences', () => {
  const broken = texts.filter(
    ([, text]) => !/^[A-Z0-9"`'/].*[.!?]$/s.test(text) || /undefined|\s\s|\.\./.test(text),
  );

  expect(broken).toEqual([]);
});

it('never asks for another folder of a session that exists', () => {
  const ofSession = { option: 'sessionCwd', path: '/srv/app' };
  const errors = [
    new AppError('folder_unusable', { ...ofSession, problem: 'does not exist' }),
    new AppError('folder_outside_roots', { ...ofSession, roots: ['/srv/one'] }),
    new AppError('folder_too_wide', { ...ofSession, what: 'the home folder or a parent of it' }),
  ];

  expect(errors.map((error) => toPageError(error, blindRedactor).message)).toEqual([
    'The folder of this session, /srv/app, does not exist. Restore it, or start a new session.',
    'The folder /srv/app is outside the folders that this server allows (CLAUDE_CODE_MCP_ROOTS). Start a new session in another folder.',
    'Sessions may not work in /srv/app: it is the home folder or a parent of it. Start a new session in a project folder.',
  ]);
});

it.each([
  ['allow', 'page', 'Phone', 'A person has already allowed this on "Phone".'],
  ['deny', 'elicitation', undefined, 'A person has already denied this in a form of their client.'],
  ['allow', 'caller', undefined, 'The client of this session has already allowed it.'],
  ['deny', 'rule', undefined, 'This was denied by a rule.'],
  ['deny', 'timeout', undefined, 'This request expired before anyone answered it, so it was denied.'],
  ['deny', 'interrupt', undefined, 'The session was interrupted, which ended this request.'],
  ['deny', 'cancel', undefined, 'The session was cancelled, which ended this request.'],
  ['deny', 'shutdown', undefined, 'The server shut down, which ended this request.'],
  ['none', 'withdrawn', undefined, 'Claude Code no longer asks for this.'],
])('says who was first: %s by %s', (decision, answeredBy, device, words) => {
  expect(settledInWords({ decision, answeredBy, device })).toBe(words);
});
