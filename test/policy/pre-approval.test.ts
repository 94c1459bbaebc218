import { plainPolicy } from '../kit/policy.js';
import { refusalOf } from '../kit/refusal.js';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import type { CallerStanding } from '../../src/policy/approvals.js';
import { refuseMode, refuseOutside, refusePreAllowed } from '../../src/policy/pre-approval.js';
import type { PolicySettings } from '../../src/policy/settings.js';

const alone: CallerStanding = { canAskPerson: false, hasPerson: false };
const withForms: CallerStanding = { canAskPerson: true, hasPerson: false };
const withPerson: CallerStanding = { canAskPerson: true, hasPerson: true };

function policy(changes: Partial<PolicySettings>): PolicySettings {
  return { ...plainPolicy, approvals: 'auto', preallow: undefined, ...changes };
}

function allow(
  rules: string | readonly string[],
  changes: Partial<PolicySettings>,
  standing: CallerStanding,
) {
  return (): void =>
    refusePreAllowed('allowedTools', typeof rules === 'string' ? [rules] : rules, policy(changes), standing);
}

const human = { approvals: 'human' } as const;

describe('a rule that pre-approves a tool', () => {
  it.each(['Read', 'Glob', 'Grep', 'TodoWrite', 'Read(src/**)', 'Grep(a b)'])(
    'is accepted from every caller if it only reads: %s',
    (rule) => {
      expect(allow(rule, human, withPerson)).not.toThrow();
    },
  );

  it.each(['Bash', 'Bash(ls)', 'Edit', 'Write(a)', 'WebFetch', 'mcp__x__y', '*', 'read', 'ReadAll', 'Task'])(
    'is refused where a person can be asked: %s',
    (rule) => {
      for (const refused of [
        allow(rule, human, alone),
        allow(rule, {}, withForms),
        allow(rule, {}, withPerson),
      ])
        expect(refused).toThrow(
          expect.objectContaining({
            code: 'PERMISSION_DENIED',
            message: `allowedTools "${rule}" is not allowed: it would run without approval`,
            reason: 'pre_approval_refused',
          }),
        );
    },
  );

  it('is accepted if no person can be asked', () => {
    expect(allow(['Bash', 'Edit(src/**)'], {}, alone)).not.toThrow();
    expect(allow(['Bash', 'Edit(src/**)'], { approvals: 'any' }, withPerson)).not.toThrow();
  });

  it('is refused once a person has answered, even from a client without forms', () => {
    expect(allow('Bash', {}, { canAskPerson: false, hasPerson: true })).toThrow('would run without approval');
  });

  it('is named when it stands behind good ones', () => {
    expect(allow(['Read', 'Glob', 'Write'], human, alone)).toThrow(
      'allowedTools "Write" is not allowed: it would run without approval',
    );
  });

  it('is not required', () => {
    expect(allow([], human, alone)).not.toThrow();
  });

  // Claude Code reads all rules as one line and splits it at commas and spaces outside brackets.
  it.each([
    'Read(x),Bash',
    'Read(x) Bash',
    'Read(x),Bash(touch *)',
    'Read(a(b),Bash(c))',
    'Grep(a),Write,Glob(b)',
    'Read(x',
    'Read(x))',
  ])('is refused when it is more than one rule that only reads: %s', (rule) => {
    expect(allow(rule, human, alone)).toThrow('would run without approval');
  });
});

describe('a rule about files, where the folders of the session bound it', () => {
  const within = (rules: readonly string[], changes: Partial<PolicySettings> = {}) => {
    return (): void => refuseOutside('allowedTools', rules, ['/p'], policy(changes));
  };

  it.each(['Read(//**)', 'Read(~/**)', 'Grep(//etc/**)', 'Edit(//**)', 'Read(../**)'])(
    'is refused if it could reach outside them: %s',
    (rule) => {
      expect(within([rule], { approvals: 'any' })).toThrow(
        expect.objectContaining({
          code: 'PERMISSION_DENIED',
          reason: 'pre_approval_outside',
          message: `allowedTools "${rule}" is not allowed: it reaches outside the session's folders`,
        }),
      );
    },
  );

  it.each(['CLAUDE_CODE_MCP_PREALLOW', 'CLAUDE_CODE_ALLOWED_TOOLS'] as const)(
    'is refused with the setting that can permit it: %s',
    (preallowSetting) => {
      const rule = 'Read(//etc/**)';

      expect(within([rule], { preallow: ['Read'], preallowSetting })).toThrow(
        new AppError('pre_approval_outside', { option: 'allowedTools', rule, setting: preallowSetting }),
      );
    },
  );

  it('is accepted if it stays inside them, and without a path', () => {
    expect(within(['Read', 'Glob', 'Read(src/**)', 'Read(//p/src/**)', 'Edit(src/**)'])).not.toThrow();
  });

  it('is accepted if the operator listed exactly this rule', () => {
    const preallow = ['Read(//usr/include/**)', 'Read'];

    expect(within(['Read(//usr/include/**)'], { preallow })).not.toThrow();
    expect(within(['Read(//usr/**)'], { preallow })).toThrow('reaches outside');
  });
});

describe("the operator's list", () => {
  it.each([
    ['the tool', ['Bash'], 'Bash', true],
    ['a rule of a listed tool', ['Bash'], 'Bash(npm test)', true],
    ['exactly the listed rule', ['Bash(npm test)'], 'Bash(npm test)', true],
    ['another rule', ['Bash(npm test)'], 'Bash(npm run x)', false],
    ['the tool of a listed rule', ['Bash(npm test)'], 'Bash', false],
    ['another tool', ['Bash'], 'Edit', false],
    ['a longer name', ['Bash'], 'BashOutput', false],
    ['anything', ['*'], 'Edit', true],
    ['anything but reading when the list is empty', [], 'Bash', false],
  ])('decides about %s under any approvals: %j, %s, %s', (_name, preallow, rule, isTaken) => {
    for (const attempt of [
      allow(rule, { ...human, preallow }, withPerson),
      allow(rule, { preallow }, withForms),
      allow(rule, { preallow }, alone),
      allow(rule, { approvals: 'any', preallow }, alone),
    ]) {
      if (isTaken) expect(attempt).not.toThrow();
      else expect(attempt).toThrow('would run without approval');
    }
  });

  it('always permits reading', () => {
    expect(allow('Read', { ...human, preallow: [] }, alone)).not.toThrow();
  });
});

describe('a mode in which edits run without approval', () => {
  const none = [undefined, undefined];

  it.each(['acceptEdits', 'auto'] as const)('is refused where a person is needed: %s', (mode) => {
    const refusal = expect.objectContaining({
      code: 'PERMISSION_DENIED',
      message: `permissionMode "${mode}" is not allowed: it would run edits without approval`,
      reason: 'mode_auto_approving',
    });

    expect(() => refuseMode(mode, none, policy(human), alone)).toThrow(refusal);
    expect(() => refuseMode(mode, none, policy({}), withPerson)).toThrow(refusal);
  });

  it.each(['acceptEdits', 'auto'] as const)('is refused where a person can be asked: %s', (mode) => {
    expect(() => refuseMode(mode, none, policy({}), withForms)).toThrow('would run edits without approval');
  });

  it("is accepted from a client with forms if the operator's list covers it", () => {
    const listed = { preallow: ['Edit', 'Write'] };

    expect(() => refuseMode('acceptEdits', none, policy(listed), withForms)).not.toThrow();
    expect(() => refuseMode('acceptEdits', none, policy(listed), withPerson)).toThrow('acceptEdits');
  });

  it('is accepted if no person is needed, or if the user or operator chose it', () => {
    expect(() => refuseMode('acceptEdits', none, policy({}), alone)).not.toThrow();
    expect(() => refuseMode('auto', none, policy({ approvals: 'any' }), withPerson)).not.toThrow();
    expect(() => refuseMode('acceptEdits', ['acceptEdits', undefined], policy(human), alone)).not.toThrow();
  });

  it('is not offered in place of a mode that is not listed, if it would be refused, too', () => {
    const callerModes = ['plan', 'acceptEdits', 'bypassPermissions'] as const;
    const offered = (standing: CallerStanding): unknown =>
      refusalOf(() => refuseMode('dontAsk', none, policy({ callerModes }), standing)).params;

    expect(offered(alone)).toEqual({ mode: 'dontAsk', modes: ['default', 'plan', 'acceptEdits'] });
    expect(offered(withForms)).toEqual({ mode: 'dontAsk', modes: ['default', 'plan'] });
  });

  it('is refused if the user or operator chose another mode', () => {
    expect(() => refuseMode('auto', ['acceptEdits', 'plan'], policy(human), alone)).toThrow('"auto"');
  });

  it.each(['default', 'plan', 'dontAsk'] as const)('is not %s', (mode) => {
    expect(() => refuseMode(mode, none, policy(human), withPerson)).not.toThrow();
  });
});

it('names the variable whose list refuses a rule', () => {
  const listing = policy({ preallow: ['Edit'], preallowSetting: 'CLAUDE_CODE_ALLOWED_TOOLS' });

  const { message } = refusalOf(() => refusePreAllowed('allowedTools', ['Bash'], listing, alone));

  expect(message).toContain('CLAUDE_CODE_ALLOWED_TOOLS does not list it');
});
