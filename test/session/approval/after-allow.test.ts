import { describe, expect, it } from 'vitest';
import type { AllowAnswer, InputRequest } from '../../../src/core/session/inputs.js';
import type { EffectiveOptions } from '../../../src/core/options/index.js';
import { afterAllow } from '../../../src/session/approval/after-allow.js';
import { plainAsk } from '../../kit/fake-backend.js';
import { plainOptions } from '../../kit/records.js';

const permission: InputRequest = {
  ...plainAsk,
  shown: plainAsk,
  requestId: 'r1',
  sessionId: 's1',
  askedAt: 0,
  expiresAt: undefined,
};
const planReview: InputRequest = { ...permission, kind: 'plan_review', toolName: 'ExitPlanMode' };
const planning: EffectiveOptions = { ...plainOptions, permissionMode: 'plan' };

interface ModeCase {
  readonly what: string;
  readonly options?: EffectiveOptions;
  readonly request?: InputRequest;
  readonly answer?: Omit<AllowAnswer, 'decision'>;
  readonly mode: EffectiveOptions['permissionMode'];
}

const modeCases: readonly ModeCase[] = [
  { what: 'stays after a permission', mode: 'default' },
  { what: 'stays plan after a permission', options: planning, mode: 'plan' },
  { what: 'is default after an approved plan', options: planning, request: planReview, mode: 'default' },
  {
    what: 'is the mode named with the approval',
    options: planning,
    request: planReview,
    answer: { nextMode: 'acceptEdits' },
    mode: 'acceptEdits',
  },
  {
    what: 'stays if the plan was written in another mode',
    options: { ...plainOptions, permissionMode: 'acceptEdits' },
    request: planReview,
    mode: 'acceptEdits',
  },
  {
    what: 'is the mode of an update',
    answer: { updates: [{ type: 'setMode', mode: 'acceptEdits' }] },
    mode: 'acceptEdits',
  },
  {
    what: 'is the mode of the last update, which overrides the one named with the approval',
    options: planning,
    request: planReview,
    answer: {
      nextMode: 'default',
      updates: [
        { type: 'setMode', mode: 'default' },
        { type: 'addRules', rules: ['Bash(ls)'] },
        { type: 'setMode', mode: 'acceptEdits' },
      ],
    },
    mode: 'acceptEdits',
  },
];

/** The options after the answer. */
function applied(...[options, request, answer]: Parameters<typeof afterAllow>): EffectiveOptions {
  return { ...options, ...afterAllow(options, request, answer) };
}

describe('the mode', () => {
  it.each(modeCases)('$what', ({ options = plainOptions, request = permission, answer, mode }) => {
    expect(applied(options, request, { decision: 'allow', ...answer })).toEqual({
      ...options,
      permissionMode: mode,
    });
  });
});

describe('the folders', () => {
  it('gain the added ones, each once, in order', () => {
    const options = { ...plainOptions, additionalDirectories: ['/a', '/b'] };

    const after = applied(options, permission, {
      decision: 'allow',
      updates: [
        { type: 'addDirectories', directories: ['/b', '/c'] },
        { type: 'addDirectories', directories: ['/c', '/d'] },
      ],
    });

    expect(after).toEqual({ ...options, additionalDirectories: ['/a', '/b', '/c', '/d'] });
  });

  it('start with the added ones if there were none', () => {
    const after = applied(plainOptions, permission, {
      decision: 'allow',
      updates: [{ type: 'addDirectories', directories: ['/c'] }],
    });

    expect(after).toEqual({ ...plainOptions, additionalDirectories: ['/c'] });
  });

  it('keep a later process from loading project settings if the user does not trust an added one', () => {
    const options = { ...plainOptions, settingSources: ['user', 'project', 'local'] as const };

    const [after, trusted] = [true, undefined].map((isUntrusted) =>
      applied(options, permission, {
        decision: 'allow',
        updates: [{ type: 'addDirectories', directories: ['/c'], ...(isUntrusted && { isUntrusted }) }],
      }),
    );

    expect(after).toEqual({ ...options, additionalDirectories: ['/c'], settingSources: ['user'] });
    expect(trusted).toEqual({ ...options, additionalDirectories: ['/c'] });
  });

  it('keep language servers from running beside an added folder that the user does not trust', () => {
    const options = { ...plainOptions, withheldPlugins: ['go@nest'] };

    const after = applied(options, permission, {
      decision: 'allow',
      updates: [
        { type: 'addDirectories', directories: ['/c'], isUntrusted: true, languagePlugins: ['ts@nest'] },
      ],
    });

    expect(after.withheldPlugins).toEqual(['go@nest', 'ts@nest']);
  });

  it('stay undefined if none were added', () => {
    const after = applied(plainOptions, permission, { decision: 'allow', updates: [] });

    expect(Object.keys(after)).not.toContain('additionalDirectories');
  });
});

it('does not change its input', () => {
  const options = Object.freeze({ ...planning, additionalDirectories: Object.freeze(['/a']) as string[] });

  const after = applied(options, planReview, {
    decision: 'allow',
    updates: [{ type: 'addDirectories', directories: ['/b'] }],
  });

  expect(options).toEqual({ ...planning, additionalDirectories: ['/a'] });
  expect(after).not.toBe(options);
});
