import { describe, expect, it } from 'vitest';
import { refuseTakenNames } from '../../src/policy/server-names.js';
import { plainPolicy } from '../kit/policy.js';

const servers = { notes: {}, 'my notes': {} };
const none = { allowRules: [], configuredServers: [] };

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
    expect(() => refuseTakenNames(servers, { ...none, allowRules: ['Bash', rule] }, plainPolicy)).toThrow(
      expect.objectContaining({ code: 'PERMISSION_DENIED', message: expect.stringContaining(rule) }),
    );
  });

  it.each(['mcp__note', 'mcp__notes2', 'mcp__notes2__read', 'mcp__other*', 'Bash(mcp__notes)', '*', ''])(
    'is accepted if the rule is %s',
    (rule) => {
      expect(() => refuseTakenNames(servers, { ...none, allowRules: [rule] }, plainPolicy)).not.toThrow();
    },
  );

  it("is also checked against the operator's pre-approvals", () => {
    const rules = ['mcp__notes'];

    expect(() => refuseTakenNames(servers, none, { ...plainPolicy, defaultAllowedTools: rules })).toThrow(
      'notes',
    );
    expect(() => refuseTakenNames(servers, none, { ...plainPolicy, preallow: rules })).toThrow('notes');
  });

  it('is accepted from a caller with full trust', () => {
    const trusting = { ...plainPolicy, callerTrust: 'full' } as const;

    expect(() =>
      refuseTakenNames(servers, { allowRules: ['mcp__notes'], configuredServers: ['notes'] }, trusting),
    ).not.toThrow();
  });

  it.each(['notes', 'Notes', 'my.notes', 'MY NOTES', 'notes__archive'])(
    'is refused if the user has a server named %j',
    (name) => {
      expect(() => refuseTakenNames(servers, { ...none, configuredServers: [name] }, plainPolicy)).toThrow(
        expect.objectContaining({
          reason: 'server_name_taken',
          message: expect.stringContaining('the user has'),
        }),
      );
    },
  );

  it.each(['note', 'notes2', 'other'])('is accepted if the user has a server named %j', (name) => {
    expect(() =>
      refuseTakenNames(servers, { ...none, configuredServers: [name] }, plainPolicy),
    ).not.toThrow();
  });

  it.each([
    ['github__x', 'another server'],
    ['github_', 'another server'],
    ['_github', 'another server'],
    ['гитхаб', 'another server'],
    ['plugin_notes_x', 'plugins and connectors'],
    ['claude_ai_Notion', 'plugins and connectors'],
    ['claude.ai Notion', 'plugins and connectors'],
  ])('is refused if it is %j, which looks like the name of %s', (name, whose) => {
    expect(() => refuseTakenNames({ [name]: {} }, none, plainPolicy)).toThrow(whose);
  });

  it('is refused if two of them look the same', () => {
    expect(() => refuseTakenNames({ 'a-b': {}, 'A-B': {} }, none, plainPolicy)).toThrow('the same names');
  });
});
