import { plainPolicy } from '../kit/policy.js';
import { describe, expect, it } from 'vitest';
import type { PermissionUpdate } from '../../src/core/session/inputs.js';
import { refuseTooManyDenied, resolvePermissionUpdates } from '../../src/policy/permission-updates.js';
import type { PolicySettings } from '../../src/policy/settings.js';

const policy: PolicySettings = { ...plainPolicy, approvals: 'auto', preallow: undefined };
const alone = { canAskPerson: false, hasPerson: false };
const withForms = { canAskPerson: true, hasPerson: false };

function resolve(updates: readonly unknown[], standing = alone): PermissionUpdate[] {
  return resolvePermissionUpdates(updates, policy, standing, undefined);
}

it('adds no rule that reaches outside the folders that bound the session', () => {
  const read = (ruleContent: string) => ({ type: 'addRules', rules: [{ toolName: 'Read', ruleContent }] });
  const within = (ruleContent: string) => () =>
    resolvePermissionUpdates([read(ruleContent)], policy, withForms, ['/p']);

  expect(within('//etc/**')).toThrow('updatedPermissions "Read(//etc/**)" is not allowed');
  expect(within('//p/**')).not.toThrow();
});

const bash = { type: 'addRules', rules: [{ toolName: 'Bash' }] };

describe('permission changes that come with an approval', () => {
  it('are read in order, and their rules become text', () => {
    const updates = resolve([
      { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'npm run *' }, { toolName: 'Edit' }] },
      { type: 'setMode', mode: 'acceptEdits' },
      { type: 'addDirectories', directories: ['/srv/other'] },
    ]);

    expect(updates).toEqual([
      { type: 'addRules', rules: ['Bash(npm run *)', 'Edit'] },
      { type: 'setMode', mode: 'acceptEdits' },
      { type: 'addDirectories', directories: ['/srv/other'] },
    ]);
  });

  it('may name the session and "allow" explicitly', () => {
    expect(resolve([{ ...bash, behavior: 'allow', destination: 'session' }])).toEqual([
      { type: 'addRules', rules: ['Bash'] },
    ]);
  });

  it('may forbid anything, whoever may approve', () => {
    const deny = { type: 'addRules', behavior: 'deny', rules: [{ toolName: 'Bash', ruleContent: 'rm:*' }] };

    for (const standing of [alone, withForms, { canAskPerson: true, hasPerson: true }])
      expect(resolve([deny], standing)).toEqual([{ type: 'denyRules', rules: ['Bash(rm:*)'] }]);
    expect(() => resolve([{ ...deny, destination: 'userSettings' }])).toThrow();
    expect(() => resolve([{ ...deny, behavior: 'ask' }])).toThrow();
  });

  it('name tools in any case, but not misspelled', () => {
    const rule = (toolName: string): object => ({
      type: 'addRules',
      behavior: 'deny',
      rules: [{ toolName }],
    });

    expect(resolve([rule('bash')])).toEqual([{ type: 'denyRules', rules: ['Bash'] }]);
    expect(() => resolve([rule('Bsh')])).toThrow('updatedPermissions "Bsh" is not a tool of Claude Code');
  });

  it.each(['Write', 'MultiEdit', 'notebookedit'])(
    'forbid or allow no path of %s, because Claude Code has no such rules',
    (toolName) => {
      const rules = [{ toolName, ruleContent: 'src/**' }];
      const problem = expect.stringContaining('.rules[0] must be Edit(path)');

      for (const behavior of ['allow', 'deny'])
        expect(() => resolve([{ type: 'addRules', behavior, rules }])).toThrow(
          expect.objectContaining({ reason: 'permission_updates_invalid', message: problem }),
        );
    },
  );

  it('have no rule that is longer than one of a caller can be', () => {
    const rules = [{ toolName: `mcp__${'x'.repeat(195)}`, ruleContent: 'y'.repeat(300) }];

    for (const behavior of ['allow', 'deny'])
      expect(() => resolve([{ type: 'addRules', behavior, rules }])).toThrow('.rules[0] is not accepted');
  });

  it.each([
    ['linux', 400, /would have 12\d{4} bytes; the limit is 120000/],
    ['win32', 24, /would have 12\d{3} bytes; the limit is 12000/],
  ] as const)('forbid no more than a process can get on %s', (platform, count, refusal) => {
    const rules = Array.from({ length: 20 }, (_, index) => ({
      toolName: 'Bash',
      ruleContent: `${index} `.padEnd(270, 'x'),
    }));
    const updates = resolve([{ type: 'addRules', behavior: 'deny', rules }]);
    const known = Array.from({ length: count }, (_, index) => `Bash(${index} `.padEnd(285, 'y').concat(')'));

    expect(() => refuseTooManyDenied(undefined, updates, platform)).not.toThrow();
    expect(() => refuseTooManyDenied(known, [], platform)).not.toThrow();
    expect(() => refuseTooManyDenied(known, updates, platform)).toThrow(
      expect.objectContaining({
        reason: 'permission_updates_invalid',
        message: expect.stringMatching(refusal),
      }),
    );
  });

  it('may be empty', () => {
    expect(resolve([])).toEqual([]);
  });

  it.each(['userSettings', 'projectSettings', 'localSettings', 'cliArg'])(
    'are not written to %s',
    (destination) => {
      for (const update of [
        bash,
        { type: 'setMode', mode: 'default' },
        { type: 'addDirectories', directories: ['/srv'] },
      ])
        expect(() => resolve([{ ...update, destination }])).toThrow(
          expect.objectContaining({
            code: 'PERMISSION_DENIED',
            message: expect.stringContaining(`"${destination}"`),
            reason: 'permission_updates_kept',
          }),
        );
    },
  );

  it.each(['bypassPermissions', 'auto', 'dontAsk', 'plan'])('cannot set mode %s', (mode) => {
    expect(() => resolve([{ type: 'setMode', mode }])).toThrow(
      expect.objectContaining({ code: 'PERMISSION_DENIED', message: expect.stringContaining(`"${mode}"`) }),
    );
  });

  it('allow no more than the caller may pre-approve', () => {
    const read = { type: 'addRules', rules: [{ toolName: 'Read', ruleContent: 'src/**' }] };

    expect(resolve([read], withForms)).toEqual([{ type: 'addRules', rules: ['Read(src/**)'] }]);
    expect(() => resolve([read, bash], withForms)).toThrow(
      expect.objectContaining({
        code: 'PERMISSION_DENIED',
        message: 'updatedPermissions "Bash" is not allowed: it would run without approval',
      }),
    );
  });

  it('cannot hide a second rule in the first', () => {
    const rules = [{ toolName: 'Read', ruleContent: 'x),Bash(touch *' }];

    expect(() => resolve([{ type: 'addRules', rules }], withForms)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/PERMISSION_DENIED|INVALID_ARGUMENT/) }),
    );
  });

  it.each([
    [
      'of an unknown type',
      { type: 'removeRules', rules: [{ toolName: 'Bash' }] },
      '[0].type is not accepted',
    ],
    ['rules that ask', { ...bash, behavior: 'ask' }, '[0].behavior is not accepted'],
    ['without a rule', { type: 'addRules', rules: [] }, '[0].rules is not accepted'],
    ['without a folder', { type: 'addDirectories', directories: [] }, '[0].directories is not accepted'],
    ['with an unknown mode', { type: 'setMode', mode: 'yolo' }, '[0].mode is not accepted'],
    [
      'with an unknown destination',
      { ...bash, destination: 'everywhere' },
      '[0].destination is not accepted',
    ],
    ['with an unknown key', { ...bash, force: true }, '[0] has the unknown key "force"'],
    [
      'with a rule that would be a flag',
      { type: 'addRules', rules: [{ toolName: '--dangerously' }] },
      '[0].rules[0].toolName must not start with "-"',
    ],
    ['not an object', 'Bash', '[0] is not accepted'],
  ])('are refused if they are %s', (_name, update, problem) => {
    expect(() => resolve([update])).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: `updatedPermissions is invalid: ${problem}`,
        reason: 'permission_updates_invalid',
      }),
    );
  });

  it('are refused if there are too many', () => {
    expect(() => resolve(Array.from({ length: 21 }, () => bash))).toThrow('updatedPermissions');
  });
});
