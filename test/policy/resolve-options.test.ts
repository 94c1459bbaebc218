import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import type { RequestedOptions } from '../../src/core/options/index.js';
import { checkedBefore, type CallerStanding } from '../../src/policy/approvals.js';
import { refuseNextMode, resolveOptions, type PolicyFacts } from '../../src/policy/resolve-options.js';
import type { PolicySettings } from '../../src/policy/settings.js';
import { plainFacts, plainPolicy } from '../kit/policy.js';
import { refusalOf } from '../kit/refusal.js';

function resolve(
  requested: RequestedOptions = {},
  facts: Partial<PolicyFacts> = {},
  settings: Partial<PolicySettings> = {},
  standing: CallerStanding = checkedBefore,
) {
  return resolveOptions({
    requested,
    facts: { ...plainFacts, ...facts },
    policy: { ...plainPolicy, ...settings },
    standing,
  });
}

describe('the effective options', () => {
  it('need nothing from the caller', () => {
    expect(resolve()).toEqual({
      cwd: '/srv/repo',
      permissionMode: 'default',
      settingSources: ['user', 'project', 'local'],
      projectSettings: 'as requested',
      permissionRequestTimeoutMs: 300_000,
      sessionInitTimeoutMs: 10_000,
      persistSession: true,
      notes: [],
    });
  });

  it('pass on what the caller asked for', () => {
    const requested: RequestedOptions = {
      model: 'haiku',
      title: 'a title',
      allowedTools: ['Read'],
      disallowedTools: ['Bash'],
      maxTurns: 4,
      maxBudgetUsd: 2,
      timeoutMs: 9_000,
      persistSession: false,
      sessionInitTimeoutMs: 500,
    };

    expect(resolve(requested)).toMatchObject(requested);
  });

  it('contain real folders, not the paths that the caller used', () => {
    const options = resolve(
      { cwd: '/link', additionalDirectories: ['/link2'] },
      { additionalDirectories: ['/real2'] },
    );

    expect(options).toMatchObject({ cwd: '/srv/repo', additionalDirectories: ['/real2'] });
  });

  it('limit a session without tools to one model turn, unless the caller sets a limit', () => {
    expect(resolve({ tools: [] }).maxTurns).toBe(1);
    expect(resolve({ tools: [], maxTurns: 5 }).maxTurns).toBe(5);
    expect(resolve({ tools: ['Read'] }).maxTurns).toBeUndefined();
  });
});

describe('the permission mode', () => {
  it.each([
    [
      'the mode that the caller requests',
      { caller: 'plan', user: 'acceptEdits', operator: 'dontAsk' },
      'plan',
    ],
    ["the operator's default", { user: 'acceptEdits', operator: 'dontAsk' }, 'dontAsk'],
    ["the user's own", { user: 'acceptEdits' }, 'acceptEdits'],
    ["the user's own auto mode", { user: 'auto' }, 'auto'],
    ['default if the user has bypassPermissions', { user: 'bypassPermissions' }, 'default'],
    ["default if the user's mode is unknown", { user: 'yolo' }, 'default'],
    ['default', {}, 'default'],
  ] as const)('is %s', (_, said, expected) => {
    const { caller, user, operator } = { caller: undefined, user: undefined, operator: undefined, ...said };

    const options = resolve(
      { permissionMode: caller },
      { userMode: user },
      { defaultPermissionMode: operator },
    );

    expect(options.permissionMode).toBe(expected);
  });

  it('is bypassPermissions only if the operator allows it', () => {
    const requested = { permissionMode: 'bypassPermissions' } as const;

    expect(() => resolve(requested)).toThrow(
      expect.objectContaining({
        code: 'PERMISSION_DENIED',
        reason: 'bypass_refused',
      }),
    );
    expect(resolve(requested, {}, { callerTrust: 'full' }).permissionMode).toBe('bypassPermissions');
  });
});

describe('with human-only approvals', () => {
  const human = { approvals: 'human' } as const;

  it.each(['acceptEdits', 'auto', 'bypassPermissions'] as const)('a caller cannot choose %s', (mode) => {
    expect(() => resolve({ permissionMode: mode }, {}, human)).toThrow(
      expect.objectContaining({ code: 'PERMISSION_DENIED', message: expect.stringContaining(mode) }),
    );
  });

  it.each(['default', 'plan', 'dontAsk'] as const)('a caller can choose %s', (mode) => {
    expect(resolve({ permissionMode: mode }, {}, human).permissionMode).toBe(mode);
  });

  it.each([
    ['acceptEdits', 'default'],
    ['auto', 'default'],
    ['dontAsk', 'default'],
    ['plan', 'plan'],
  ])("the user's mode %s becomes %s", (userMode, expected) => {
    expect(resolve({}, { userMode }, human).permissionMode).toBe(expected);
  });

  it('a caller can choose acceptEdits if the operator has set it, but not if the user has', () => {
    const requested = { permissionMode: 'acceptEdits' } as const;

    expect(() => resolve(requested, { userMode: 'acceptEdits' }, human)).toThrow('acceptEdits');
    expect(resolve(requested, {}, { ...human, defaultPermissionMode: 'acceptEdits' }).permissionMode).toBe(
      'acceptEdits',
    );
  });

  it('a caller can pre-approve reading and forbid anything', () => {
    const requested = { allowedTools: ['Read', 'Grep'], disallowedTools: ['Bash', 'Edit(src/**)'] };

    expect(resolve(requested, {}, human)).toMatchObject(requested);
    expect(() => resolve({ allowedTools: ['Read', 'Bash'] }, {}, human)).toThrow('allowedTools "Bash"');
  });
});

describe('where a person can be asked or has answered', () => {
  const answered = { canAskPerson: true, hasPerson: true };

  it.each(['acceptEdits', 'auto'] as const)('a caller cannot choose %s', (permissionMode) => {
    const alone = { canAskPerson: false, hasPerson: false };

    expect(resolve({ permissionMode }, {}, {}, alone).permissionMode).toBe(permissionMode);
    for (const standing of [answered, { canAskPerson: true, hasPerson: false }])
      expect(() => resolve({ permissionMode }, {}, {}, standing)).toThrow(
        expect.objectContaining({ code: 'PERMISSION_DENIED' }),
      );
  });

  it("the user's own mode still applies, requested or not", () => {
    const facts = { userMode: 'acceptEdits' };

    expect(resolve({}, facts, {}, answered).permissionMode).toBe('acceptEdits');
    expect(resolve({ permissionMode: 'acceptEdits' }, facts, {}, answered).permissionMode).toBe(
      'acceptEdits',
    );
  });
});

describe('the mode after a plan', () => {
  it.each(['default', 'acceptEdits'] as const)('can be %s', (mode) => {
    expect(() => refuseNextMode(mode, plainPolicy, checkedBefore)).not.toThrow();
  });

  it.each(['plan', 'dontAsk', 'auto', 'bypassPermissions'] as const)('cannot be %s', (mode) => {
    expect(() => refuseNextMode(mode, plainPolicy, checkedBefore)).toThrow(
      expect.objectContaining({
        code: 'PERMISSION_DENIED',
        message: expect.stringContaining(`"${mode}"`),
        reason: 'next_mode_refused',
      }),
    );
  });
});

describe('the setting sources', () => {
  it.each([
    ['all in a trusted folder', true, undefined, ['user', 'project', 'local']],
    ['as requested in a trusted folder', true, ['user', 'local'], ['user', 'local']],
    ['the user only in an untrusted folder', false, undefined, ['user']],
    ['no more on request in an untrusted folder', false, ['user', 'project', 'local'], ['user']],
  ] as const)('are %s', (_, isTrusted, settingSources, expected) => {
    const requested: RequestedOptions =
      settingSources === undefined ? {} : { settingSources: [...settingSources] };

    expect(resolve(requested, { isTrusted }).settingSources).toEqual(expected);
  });

  it.each([[[]], [['project']], [['project', 'local']]] as const)(
    'cannot be %j, which excludes the user',
    (sources) => {
      expect(() => resolve({ settingSources: [...sources] })).toThrow(new AppError('user_settings_left_out'));
    },
  );
});

describe('a folder with project settings', () => {
  it('is reported as skipped if nobody has trusted it', () => {
    const options = resolve({}, { isTrusted: false, projectFiles: ['.claude'] });

    expect(options).toMatchObject({ projectSettings: 'skipped', skippedFiles: ['.claude'], notes: [] });
  });

  it('tells Claude about a CLAUDE.md that was not loaded, as information', () => {
    const { notes } = resolve({}, { isTrusted: false, projectFiles: ['CLAUDE.md'] });

    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain('not as instructions');
  });

  it('is loaded as requested if it is trusted', () => {
    const options = resolve({}, { isTrusted: true, projectFiles: ['CLAUDE.md'] });

    expect(options).toMatchObject({ projectSettings: 'as requested', notes: [] });
  });
});

describe('the time a request waits', () => {
  it.each([
    ["the operator's if the caller sets none", undefined, 300_000, 300_000],
    ['shorter if the caller requests that', 5_000, 300_000, 5_000],
    ["the operator's if the caller requests more", 900_000, 300_000, 300_000],
    ['unlimited if the operator sets 0', undefined, 0, 0],
    ["the caller's if the operator sets no limit", 5_000, 0, 5_000],
  ])('is %s', (_, requested, permissionTimeoutMs, expected) => {
    const options = resolve({ permissionRequestTimeoutMs: requested }, {}, { permissionTimeoutMs });

    expect(options.permissionRequestTimeoutMs).toBe(expected);
  });

  // A record written while the operator set no limit is restored as a request for 0, which means no limit.
  it('is limited even if an old record says 0', () => {
    expect(resolve({ permissionRequestTimeoutMs: 0 }).permissionRequestTimeoutMs).toBe(300_000);
  });
});

describe('skills', () => {
  const agents = { a: { description: 'd', prompt: 'p', skills: ['deploy'] } };
  const formClient: CallerStanding = { canAskPerson: true, hasPerson: false };

  it.each<[string, Partial<PolicySettings>, CallerStanding]>([
    ['the operator lists other tools', { preallow: ['Read'] }, checkedBefore],
    ['the operator lists another skill', { preallow: ['Skill(test)'] }, checkedBefore],
    ['only people approve', { approvals: 'human' }, checkedBefore],
    ['a person can be asked', {}, formClient],
  ])('are not pre-approved where %s', (_where, settings, standing) => {
    const params = { option: 'skills', rule: 'Skill(deploy)' };

    expect(refusalOf(() => resolve({ skills: ['deploy'] }, {}, settings, standing))).toMatchObject({
      reason: 'pre_approval_refused',
      params,
    });
  });

  it.each([['Skill'], ['Skill(deploy)'], ['*']])('are pre-approved by the list [%s]', (listed) => {
    expect(resolve({ skills: ['deploy'], agents }, {}, { preallow: [listed] })).toMatchObject({
      skills: ['deploy'],
    });
  });

  it('cannot hide another rule in their name', () => {
    const refusal = refusalOf(() => resolve({ skills: ['x),Bash('] }));

    expect(refusal).toMatchObject({ reason: 'pre_approval_refused' });
  });

  it('are not all pre-approved by a list that has one', () => {
    const refusal = refusalOf(() => resolve({ skills: 'all' }, {}, { preallow: ['Skill(deploy)'] }));

    expect(refusal).toMatchObject({ reason: 'pre_approval_refused', params: { rule: 'Skill' } });
  });

  it.each<[string, Parameters<typeof resolve>, string]>([
    ['in plan mode', [{ agents, permissionMode: 'plan' }], 'agent_skills_skip_approval'],
    ['where only people approve', [{ agents }, {}, { approvals: 'human' }], 'agent_skills_skip_approval'],
    [
      'after a person has answered',
      [{ agents }, {}, {}, { ...formClient, hasPerson: true }],
      'agent_skills_skip_approval',
    ],
    ['beyond the list', [{ agents }, {}, { preallow: ['Read'] }], 'pre_approval_refused'],
  ])('are not preloaded for agents %s', (_where, asked, reason) => {
    expect(refusalOf(() => resolve(...asked))).toMatchObject({ reason });
  });

  it('keep slash commands from running beyond the list', () => {
    const commands = { slashCommands: true };

    const trusting = (preallow: string[]) => ({ preallow, callerTrust: 'full' }) as const;

    expect(refusalOf(() => resolve(commands, {}, trusting(['Read'])))).toMatchObject({
      reason: 'slash_commands_unlisted',
    });
    expect(resolve(commands, {}, trusting(['Skill']))).toMatchObject(commands);
  });
});

describe('the sandbox', () => {
  const tight = {
    enabled: true,
    failIfUnavailable: true,
    autoAllowBashIfSandboxed: false,
    allowUnsandboxedCommands: false,
  };
  const usersOwn = { sandboxes: [{ source: 'user', section: { enabled: true } }] } as const;

  it.each([
    {},
    { enabled: false },
    { network: {} },
    { excludedCommands: [] },
    { autoAllowBashIfSandboxed: false },
    { enabled: false, network: { deniedDomains: ['a.example'] } },
  ])('stays off with %j where none is configured', (sandbox) => {
    expect(resolve({ sandbox }).sandbox).toBeUndefined();
  });

  it.each([{ enabled: true }, { failIfUnavailable: true }, { network: { deniedDomains: ['a.example'] } }])(
    'is tight with %j',
    (sandbox) => {
      expect(resolve({ sandbox }).sandbox).toEqual({ ...sandbox, ...tight });
    },
  );

  it('of the user can be tightened, but not turned off', () => {
    expect(resolve({ sandbox: {} }, usersOwn).sandbox).toBeUndefined();
    expect(resolve({ sandbox: { autoAllowBashIfSandboxed: false } }, usersOwn).sandbox).toEqual(tight);
    expect(() => resolve({ sandbox: { enabled: false } }, usersOwn)).toThrow(
      new AppError('option_untrusted', {
        path: ['sandbox', 'enabled'],
        problem: 'would turn off the sandbox of the user or the operator',
      }),
    );
  });

  it('of a trusted project applies even if the caller leaves out the settings of the project', () => {
    const facts = { sandboxes: [{ source: 'project', section: { enabled: true } }] } as const;

    expect(resolve({}, facts).sandbox).toBeUndefined();
    expect(resolve({ settingSources: ['user'] }, facts).sandbox).toEqual(tight);
    expect(resolve({}, { ...facts, isTrusted: false }).sandbox).toEqual(tight);
  });

  describe('of settings that the caller leaves out', () => {
    const section = {
      enabled: true,
      excludedCommands: ['docker'],
      filesystem: { denyRead: ['~/.ssh', 'keys'], allowWrite: ['/srv'] },
      network: { deniedDomains: ['a.example'], allowLocalBinding: false },
      credentials: { files: [{ path: './key', mode: 'mask', injectHosts: ['b.example'] }] },
    };
    const restrictions = {
      filesystem: { denyRead: ['~/.ssh', '/srv/repo/keys'] },
      network: { deniedDomains: ['a.example'], allowLocalBinding: false },
      credentials: { files: [{ path: '/srv/repo/key', mode: 'deny' }] },
    };
    const userOnly = { settingSources: ['user' as const] };
    const local = { sandboxes: [{ source: 'local' as const, section }] };

    it('keeps its restrictions, and nothing that loosens it', () => {
      expect(resolve(userOnly, local).sandbox).toEqual({ ...tight, ...restrictions });
      expect(resolve({}, local).sandbox).toBeUndefined();
    });

    it('keeps its restrictions where other settings turn it on', () => {
      const { enabled: _isOn, ...rest } = section;
      const both = { sandboxes: [...usersOwn.sandboxes, { source: 'local' as const, section: rest }] };

      expect(resolve(userOnly, both).sandbox).toEqual(restrictions);
      expect(resolve(userOnly, { sandboxes: both.sandboxes.slice(1) }).sandbox).toBeUndefined();
    });

    it('joins its restrictions with those of the caller and of other settings', () => {
      const project = { source: 'project' as const, section: { filesystem: { denyRead: ['/etc'] } } };
      const sandbox = { filesystem: { denyRead: ['/root'] } };

      expect(resolve({ ...userOnly, sandbox }, { sandboxes: [project, ...local.sandboxes] }).sandbox).toEqual(
        {
          ...tight,
          ...restrictions,
          filesystem: { denyRead: ['/etc', '~/.ssh', '/srv/repo/keys', '/root'] },
        },
      );
    });
  });

  it('of the operator applies to every session, and only trusted callers can loosen it', () => {
    const on = { sandbox: 'on' } as const;

    expect(resolve({}, {}, on).sandbox).toEqual(tight);
    expect(resolve({ sandbox: {} }, {}, on).sandbox).toEqual(tight);
    expect(resolve({ sandbox: { enabled: true } }, {}, on).sandbox).toEqual(tight);
    expect(() => resolve({ sandbox: { enabled: false } }, {}, on)).toThrow('sandbox.enabled');
    expect(resolve({ sandbox: { enabled: false } }, {}, { ...on, callerTrust: 'full' }).sandbox).toEqual({
      ...tight,
      enabled: false,
    });
  });
});

describe('the time to start', () => {
  it("is the operator's unless the caller sets one", () => {
    const slow = { startTimeoutMs: 45_000 };

    expect(resolve({}, {}, slow).sessionInitTimeoutMs).toBe(45_000);
    expect(resolve({ sessionInitTimeoutMs: 500 }, {}, slow).sessionInitTimeoutMs).toBe(500);
  });
});
