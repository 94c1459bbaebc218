import { describe, expect, it } from 'vitest';
import type { OptionName, RequestedOptions } from '../../src/core/options/index.js';
import { checkedBefore } from '../../src/policy/approvals.js';
import { resolveOptions } from '../../src/policy/resolve-options.js';
import { resolveResumed, type ResumedOptions } from '../../src/policy/resumed-options.js';
import type { PolicySettings } from '../../src/policy/settings.js';
import { plainFacts, plainPolicy } from '../kit/policy.js';
import { optionValues } from './option-values.js';

function resume(
  before: RequestedOptions,
  {
    changes = {},
    policy = {},
  }: {
    readonly changes?: RequestedOptions;
    readonly policy?: Partial<PolicySettings>;
  } = {},
): ResumedOptions {
  const recorded = (Object.keys(before) as OptionName[]).filter((key) => !Object.hasOwn(changes, key));
  return resolveResumed({
    requested: { ...before, ...changes },
    recorded: new Set(recorded),
    facts: plainFacts,
    policy: { ...plainPolicy, ...policy },
    standing: checkedBefore,
  });
}

const harmful = Object.entries(optionValues).flatMap(([option, { harmful: values = [] }]) =>
  values.map((value) => [option, value] as const),
);

describe('a recorded option', () => {
  it.each(harmful)('%s %j is narrowed to what any caller may ask for', (option, value) => {
    const { options, narrowed } = resume({ [option]: value });
    const { projectSettings: _trust, notes: _notes, ...requested } = options;

    expect(narrowed).toEqual([option]);
    expect(() =>
      resolveOptions({
        requested: { ...requested, settingSources: [...requested.settingSources] },
        facts: plainFacts,
        policy: plainPolicy,
        standing: checkedBefore,
      }),
    ).not.toThrow();
  });

  it.each(harmful)('%s %j is refused if the caller passes it again', (option, value) => {
    expect(() => resume({ [option]: value }, { changes: { [option]: value } })).toThrow();
  });

  it.each([
    ['acceptEdits', 'default'],
    ['auto', 'default'],
    ['bypassPermissions', 'default'],
    ['plan', 'plan'],
    ['dontAsk', 'dontAsk'],
  ] as const)('permissionMode %s becomes %s where callers choose none', (permissionMode, mode) => {
    const policy = { callerModes: [], defaultPermissionMode: 'acceptEdits' } as const;
    const { options, narrowed } = resume(
      { permissionMode },
      { policy: permissionMode === 'acceptEdits' ? { callerModes: [] } : policy },
    );

    expect(options.permissionMode).toBe(mode);
    expect(narrowed).toEqual(mode === permissionMode ? [] : ['permissionMode']);
  });

  it('keeps the rules that are still allowed, and never falls back to those of the operator', () => {
    const policy = { preallow: ['Read'], defaultAllowedTools: ['Bash'] };

    expect(resume({ allowedTools: ['Read', 'Write'] }, { policy }).options.allowedTools).toEqual(['Read']);
    expect(resume({ allowedTools: ['Write'] }, { policy }).options.allowedTools).toEqual([]);
  });

  it('that only narrows stays as it is', () => {
    const narrow: RequestedOptions = {
      permissionMode: 'plan',
      disallowedTools: ['Bash'],
      tools: ['Read'],
      strictMcpConfig: true,
      maxTurns: 2,
      timeoutMs: 1_000,
    };

    expect(resume(narrow)).toMatchObject({ options: narrow, narrowed: [] });
  });

  it('is refused if nothing narrower is known', () => {
    const policy = { callerTrust: 'full' } as const;

    expect(() => resume({ debugFile: 'relative.log' }, { policy })).toThrow('not an absolute path');
  });
});
