import { describe, expect, it } from 'vitest';
import { refuseTakenNames } from '../../src/policy/server-names.js';
import { plainPolicy } from '../kit/policy.js';

const servers = { notes: {}, 'my notes': {} };

describe('the name of a server that a caller brings along', () => {
  it.each([
    'mcp__notes',
    'mcp__notes__*',
    'mcp__notes__read',
    'mcp__NOTES__read',
    'mcp__no*',
    'mcp__*',
    'mcp__notes__r*(x)',
    'mcp__my_notes__read',
  ])('is refused where the rule %s lets it run unasked', (rule) => {
    expect(() => refuseTakenNames(servers, ['Bash', rule], plainPolicy)).toThrow(
      expect.objectContaining({ code: 'PERMISSION_DENIED', message: expect.stringContaining(rule) }),
    );
  });

  it.each(['mcp__note', 'mcp__notes2', 'mcp__notes2__read', 'mcp__other*', 'Bash(mcp__notes)', '*', ''])(
    'is free where the rule is %s',
    (rule) => {
      expect(() => refuseTakenNames(servers, [rule], plainPolicy)).not.toThrow();
    },
  );

  it('is held against what the operator lets run unasked, too', () => {
    const rules = ['mcp__notes'];

    expect(() => refuseTakenNames(servers, [], { ...plainPolicy, defaultAllowedTools: rules })).toThrow(
      'notes',
    );
    expect(() => refuseTakenNames(servers, [], { ...plainPolicy, preallow: rules })).toThrow('notes');
  });

  it('is the choice of a caller whom the operator trusts', () => {
    const trusting = { ...plainPolicy, callerTrust: 'full' } as const;

    expect(() => refuseTakenNames(servers, ['mcp__notes'], trusting)).not.toThrow();
  });
});
