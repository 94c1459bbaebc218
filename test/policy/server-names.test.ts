import { describe, expect, it } from 'vitest';
import { refuseTakenNames } from '../../src/policy/server-names.js';
import { plainPolicy } from '../kit/policy.js';

const servers = { notes: {}, 'my notes': {} };

describe("the name of a caller's server", () => {
  it.each([
    'mcp__notes',
    'mcp__notes__*',
    'mcp__notes__read',
    'mcp__NOTES__read',
    'mcp__no*',
    'mcp__*',
    'mcp__notes__r*(x)',
    'mcp__my_notes__read',
  ])('is refused if the rule %s pre-approves its tools', (rule) => {
    expect(() => refuseTakenNames(servers, ['Bash', rule], plainPolicy)).toThrow(
      expect.objectContaining({ code: 'PERMISSION_DENIED', message: expect.stringContaining(rule) }),
    );
  });

  it.each(['mcp__note', 'mcp__notes2', 'mcp__notes2__read', 'mcp__other*', 'Bash(mcp__notes)', '*', ''])(
    'is accepted if the rule is %s',
    (rule) => {
      expect(() => refuseTakenNames(servers, [rule], plainPolicy)).not.toThrow();
    },
  );

  it("is also checked against the operator's pre-approvals", () => {
    const rules = ['mcp__notes'];

    expect(() => refuseTakenNames(servers, [], { ...plainPolicy, defaultAllowedTools: rules })).toThrow(
      'notes',
    );
    expect(() => refuseTakenNames(servers, [], { ...plainPolicy, preallow: rules })).toThrow('notes');
  });

  it('is accepted from a caller with full trust', () => {
    const trusting = { ...plainPolicy, callerTrust: 'full' } as const;

    expect(() => refuseTakenNames(servers, ['mcp__notes'], trusting)).not.toThrow();
  });
});
