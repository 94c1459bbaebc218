import { describe, expect, it } from 'vitest';
import { refuseTakenNames, withheldServersOf, type StartedServer } from '../../src/policy/server-names.js';
import { resolveOptions } from '../../src/policy/resolve-options.js';
import { checkedBefore } from '../../src/policy/approvals.js';
import { plainFacts, plainPolicy } from '../kit/policy.js';

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

describe('a server of the user in a folder that nobody has trusted', () => {
  const cwd = '/srv/repo';
  const withheld = (command: StartedServer['command'], name = 'notes', ofCaller = {}) =>
    withheldServersOf([{ name, command }], cwd, ofCaller);

  it.each<{ command: StartedServer['command'] }>([
    { command: ['npx', '-y', 'some-mcp'] },
    { command: ['/usr/bin/npx', '-y', 'some-mcp'] },
    { command: ['/usr/bin/node', '/usr/lib/node_modules/npm/bin/npx-cli.js', '-y', 'some-mcp'] },
    { command: ['/usr/bin/node', '/opt/bin/tsx.mjs', '/home/u/server.ts'] },
    { command: ['/usr/bin/node', '/home/u/node_modules/tsx/dist/cli.mjs', '/home/u/server.ts'] },
    { command: ['/usr/bin/env', '/usr/bin/npx', '-y', 'some-mcp'] },
    { command: ['/usr/bin/env', 'A=b', '/usr/bin/node', '/home/u/server.js'] },
    { command: ['/usr/bin/nice', '/usr/bin/python3', '-m', 'some_mcp'] },
    { command: ['/bin/sh', '/usr/lib/node_modules/corepack/dist/pnpm.js', 'dlx', 'some-mcp'] },
    { command: ['uvx', 'some-mcp'] },
    { command: ['/usr/bin/python3', '-m', 'some_mcp'] },
    { command: ['node', '/opt/server.js'] },
    { command: ['/usr/bin/node', 'server.js'] },
    { command: ['/usr/bin/bun', '/opt/server.ts'] },
    { command: ['./server'] },
    { command: ['/srv/repo/server'] },
    { command: ['/usr/bin/node', '/srv/repo/server.js'] },
  ])('is withheld if the folder could supply its program: $command', ({ command }) => {
    expect(withheld(command)).toEqual([{ name: 'notes', entry: { serverName: 'notes' } }]);
  });

  it.each<{ command: StartedServer['command'] }>([
    { command: ['/opt/server'] },
    { command: ['/usr/bin/node', '/opt/server.js', '--stdio'] },
    { command: ['/usr/bin/python3', '/opt/server.py', '.'] },
  ])('starts if it certainly runs other files: $command', ({ command }) => {
    expect(withheld(command)).toEqual([]);
  });

  it.each<[name: string, ofCaller: object]>([
    ['my notes', {}],
    ['notes', { notes: {} }],
  ])('is named by its command if its name would not do: %s', (name, ofCaller) => {
    const command: StartedServer['command'] = ['npx', 'some-mcp'];

    expect(withheld(command, name, ofCaller)).toEqual([{ name, entry: { serverCommand: command } }]);
  });

  it('is withheld from the session; in a trusted folder it is not', () => {
    const programServers: StartedServer[] = [{ name: 'notes', command: ['npx', 'some-mcp'] }];
    const resolve = (isCwdTrusted: boolean) =>
      resolveOptions({
        requested: {},
        facts: { ...plainFacts, isTrusted: isCwdTrusted, isCwdTrusted, programServers },
        policy: plainPolicy,
        standing: checkedBefore,
      }).withheldServers;

    expect([resolve(false), resolve(true)]).toEqual([
      [{ name: 'notes', entry: { serverName: 'notes' } }],
      undefined,
    ]);
  });
});
