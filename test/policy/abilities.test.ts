import { describe, expect, it } from 'vitest';
import { allAbilities } from '../../src/core/claude/abilities.js';
import type { EffectiveOptions } from '../../src/core/options/index.js';
import {
  isBounded,
  isReadingBounded,
  mayPreApprove,
  refuseAnsweringHook,
  refuseUngatedFiles,
  refuseUpdates,
  withinAbilities,
  type Means,
} from '../../src/policy/abilities.js';
import { plainOptions } from '../kit/records.js';

const gated: Means = { name: 'whole', abilities: allAbilities };
const ungated: Means = {
  name: 'lean',
  abilities: { ...allAbilities, gate: false, missingOptions: ['skills'], reservedServers: ['perm'] },
};

function check(
  changes: Omit<Partial<EffectiveOptions>, 'settingSources'>,
  hasBounds = false,
  means = ungated,
) {
  const options = { ...plainOptions, ...changes };
  return withinAbilities(options, changes, means, hasBounds);
}

describe('options that a backend does not support', () => {
  it('are refused in an error that names them and the backend', () => {
    expect(() => check({ skills: ['pdf'] })).toThrow(
      'the lean backend of this server (CLAUDE_CODE_MCP_BACKEND=lean) does not support skills',
    );
    expect(check({ skills: ['pdf'] }, false, gated)).toMatchObject({ skills: ['pdf'] });
  });

  it('are refused if they use a name that the backend reserves', () => {
    const mcpServers = { perm: { type: 'http' as const, url: 'https://example.com' } };

    expect(() => check({ mcpServers })).toThrow('reserves the MCP server name "perm"');
    expect(check({ mcpServers }, false, gated)).toMatchObject({ mcpServers });
  });
});

it.each([
  ['is bounded with human-only approvals', 'human', [], true],
  ['is bounded inside roots', 'auto', ['/work'], true],
  ['is not bounded otherwise', 'auto', [], false],
] as const)('pre-approval %s', (_case, approvals, roots, expected) => {
  expect(isBounded({ approvals }, { roots })).toBe(expected);
});

describe('without a gate', () => {
  it.each<[string, Pick<Partial<EffectiveOptions>, 'permissionMode'>, boolean]>([
    ['in plan mode', { permissionMode: 'plan' }, false],
    ['when only people approve or CLAUDE_CODE_MCP_ROOTS is set', {}, true],
  ])('a caller allows nothing in advance %s', (where, options, hasBounds) => {
    const asked = { ...options, allowedTools: ['Read'] };

    expect(() => check(asked, hasBounds)).toThrow(
      expect.objectContaining({
        code: 'PERMISSION_DENIED',
        message: expect.stringContaining(`with the lean backend (CLAUDE_CODE_MCP_BACKEND=lean) ${where}`),
      }),
    );
    expect(check(asked, hasBounds, gated)).toMatchObject({ allowedTools: ['Read'] });
    expect(check({ ...options, allowedTools: [] }, hasBounds)).toMatchObject({ allowedTools: [] });
  });

  it('the default of the operator does not apply there', () => {
    const options: EffectiveOptions = { ...plainOptions, permissionMode: 'plan', allowedTools: ['Bash'] };

    const effective = withinAbilities(options, {}, ungated, false);

    expect(effective).not.toHaveProperty('allowedTools');
  });

  it('a caller may pre-approve elsewhere', () => {
    expect(check({ allowedTools: ['Bash'] })).toMatchObject({ allowedTools: ['Bash'] });
  });

  it('an answer cannot change permissions either, unless it ends plan mode', () => {
    const plan = { permissionMode: 'plan' } as const;

    expect(() => refuseUpdates('permission', ungated, plan, false)).toThrow('updatedPermissions');
    expect(() => refuseUpdates('plan_review', ungated, plan, false)).not.toThrow();
    expect(() => refuseUpdates('permission', gated, plan, false)).not.toThrow();
  });

  it('earlier grants are not passed on', () => {
    expect(mayPreApprove(ungated, { permissionMode: 'plan' }, false)).toBe(false);
    expect(mayPreApprove(ungated, { permissionMode: 'default' }, true)).toBe(false);
    expect(mayPreApprove(ungated, { permissionMode: 'default' }, false)).toBe(true);
    expect(mayPreApprove(gated, { permissionMode: 'plan' }, true)).toBe(true);
  });
});

describe('what a caller may have read in advance', () => {
  const alone = { canAskPerson: false, hasPerson: false };
  const withForms = { canAskPerson: true, hasPerson: false };
  const everywhere = { roots: [] };

  it.each([
    ['human', undefined, everywhere, alone],
    ['any', undefined, { roots: ['/srv'] }, alone],
    ['any', ['Bash'], everywhere, alone],
    ['any', [], everywhere, alone],
    ['auto', undefined, everywhere, withForms],
    ['auto', undefined, everywhere, { canAskPerson: false, hasPerson: true }],
  ] as const)(
    'is bounded by the folders of the session: %s, %j, %j, %j',
    (approvals, preallow, bounds, standing) => {
      expect(isReadingBounded({ approvals, preallow: preallow && [...preallow] }, bounds, standing)).toBe(
        true,
      );
    },
  );

  it.each([
    ['any', undefined, withForms],
    ['any', ['*'], alone],
    ['auto', undefined, alone],
    ['auto', ['*'], withForms],
  ] as const)(
    'is not bounded where the caller decides alone: %s, %j, %j',
    (approvals, preallow, standing) => {
      expect(isReadingBounded({ approvals, preallow: preallow && [...preallow] }, everywhere, standing)).toBe(
        false,
      );
    },
  );

  it('excludes whole file tools if the backend has no gate, unless the operator listed them', () => {
    const refuse = (rules: string[], means: Means, preallow?: string[]) => () =>
      refuseUngatedFiles('allowedTools', rules, means, {
        preallow,
        preallowSetting: 'CLAUDE_CODE_MCP_PREALLOW',
      });

    expect(refuse(['Bash', 'Read'], ungated)).toThrow('allowedTools "Read" is not allowed');
    expect(refuse(['Bash', 'Read(src/**)'], ungated)).not.toThrow();
    expect(refuse(['Read'], ungated, ['Read'])).not.toThrow();
    expect(refuse(['Read'], gated)).not.toThrow();
  });
});

describe('a hook that answers requests', () => {
  const path = '/home/ann/.claude/settings.json';
  const judge =
    (means: Means, permissionMode: 'default' | 'plan', approvals: 'any' | 'human', file?: string) => () =>
      refuseAnsweringHook(means, { permissionMode }, { approvals }, file);

  it('is refused without a gate, in plan mode and where only people approve', () => {
    expect(judge(ungated, 'plan', 'any', path)).toThrow(`PermissionRequest in ${path} could answer`);
    expect(judge(ungated, 'default', 'human', path)).toThrow(`PermissionRequest in ${path} could answer`);
  });

  it('is accepted elsewhere, and with a gate', () => {
    expect(judge(ungated, 'default', 'any', path)).not.toThrow();
    expect(judge(ungated, 'plan', 'human')).not.toThrow();
    expect(judge(gated, 'plan', 'human', path)).not.toThrow();
  });
});
