import { expect, it } from 'vitest';
import type { Launch } from '../../../src/core/claude/backend.js';
import { isRepeatable, patternOf } from '../../../src/session/spares/pattern.js';
import { plainOptions } from '../../kit/records.js';

const plain: Launch = {
  claudeSessionId: 'a',
  from: { type: 'start' },
  options: plainOptions,
  grantedRules: [],
  asksFirst: false,
  budgetLeftUsd: undefined,
};

it('repeats a plain start, also with a budget of its own', () => {
  const withBudget = { ...plain, options: { ...plainOptions, maxBudgetUsd: 2 }, budgetLeftUsd: 2 };

  expect([plain, withBudget].map(isRepeatable)).toEqual([true, true]);
});

it.each<[string, Partial<Launch>]>([
  ['a resumed conversation', { from: { type: 'resume' } }],
  ['a fork', { from: { type: 'fork', claudeSessionId: 'b' } }],
  ['a start within a trace', { trace: { traceparent: '00-1-2-01' } }],
  ['a start with granted rules', { grantedRules: ['Bash(ls)'] }],
  ['what the budget of a day leaves', { budgetLeftUsd: 1 }],
  ['mode bypassPermissions', { options: { ...plainOptions, permissionMode: 'bypassPermissions' } }],
  ['a sandbox', { options: { ...plainOptions, sandbox: { enabled: true } } }],
])('does not repeat %s', (_what, changes) => {
  expect(isRepeatable({ ...plain, ...changes })).toBe(false);
});

it.each<[string, Partial<Launch>]>([
  ['the folder', { options: { ...plainOptions, cwd: '/elsewhere' } }],
  ['the trust', { options: { ...plainOptions, settingSources: ['user', 'project', 'local'] } }],
  ['withheld servers', { options: { ...plainOptions, withheldServers: [] } }],
  ['the gate', { asksFirst: true }],
  ['granted rules', { grantedRules: ['Read'] }],
  ['the budget', { budgetLeftUsd: 1 }],
])('tells launches apart by %s, but not by the id of the session', (_what, changes) => {
  const other = { ...plain, claudeSessionId: 'b' };

  expect(patternOf(other)).toBe(patternOf(plain));
  expect(patternOf({ ...plain, ...changes })).not.toBe(patternOf(plain));
});
