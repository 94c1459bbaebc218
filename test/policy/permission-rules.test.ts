import { expect, it } from 'vitest';
import type { PermissionRules } from '../../src/core/options/permission-rules.js';
import { permissionRulesOf, type RuleFacts } from '../../src/policy/permission-rules.js';
import { refusalOf } from '../kit/refusal.js';

function rulesOf(name: string): PermissionRules {
  return { allow: [`Allow(${name})`], ask: [`Ask(${name})`], deny: [`Deny(${name})`] };
}

const facts: RuleFacts = {
  rules: {
    managed: rulesOf('managed'),
    user: rulesOf('user'),
    project: rulesOf('project'),
    local: rulesOf('local'),
  },
  isCwdTrusted: true,
};

it('passes every rule that denies or asks, whatever settings are loaded', () => {
  const rules = permissionRulesOf(facts, ['user']);

  expect(rules).toEqual({
    allow: [],
    ask: ['Ask(managed)', 'Ask(user)', 'Ask(local)', 'Ask(project)'],
    deny: ['Deny(managed)', 'Deny(user)', 'Deny(local)', 'Deny(project)'],
  });
});

it('ignores the rules of a project that is not trusted, but not those of its user', () => {
  const rules = permissionRulesOf({ ...facts, isCwdTrusted: false }, ['user']);

  expect(rules?.deny).toEqual(['Deny(managed)', 'Deny(user)', 'Deny(local)']);
});

it('passes the allow rules of a project whose settings are loaded', () => {
  expect(permissionRulesOf(facts, ['user', 'project'])?.allow).toEqual(['Allow(project)']);
});

it.each([
  ['many', Array.from({ length: 10_000 }, (_, n) => `Bash(rm ${n})`)],
  ['of other alphabets', [`Read(${'é'.repeat(60_000)})`]],
])('refuses rules that are too long to be passed: %s', (_what, deny) => {
  const user = { allow: [], ask: [], deny };

  expect(refusalOf(() => permissionRulesOf({ ...facts, rules: { ...facts.rules, user } }, []))).toMatchObject(
    { reason: 'rules_too_long' },
  );
});
