import { describe, expect, it } from 'vitest';
import type { CallerStanding } from '../../src/policy/approvals.js';
import { mayBypass, refuseBypass } from '../../src/policy/bypass.js';
import type { PolicySettings } from '../../src/policy/settings.js';
import { plainPolicy } from '../kit/policy.js';
import { asyncVocabulary } from '../../src/toolsets/async/wording/vocabulary.js';
import { nextStepFor } from '../../src/toolsets/shared/wording/next-step.js';
import { refusalOf } from '../kit/refusal.js';

const alone: CallerStanding = { canAskPerson: false, hasPerson: false };
const withPerson: CallerStanding = { canAskPerson: true, hasPerson: true };

describe('bypassPermissions', () => {
  it.each<[string, Partial<PolicySettings>, CallerStanding, boolean]>([
    ['a caller who has not enabled it', {}, alone, false],
    ['a caller who has enabled it', {}, { ...alone, bypass: 'caller' }, true],
    ['a caller for whom a person has enabled it', {}, { ...withPerson, bypass: 'person' }, true],
    ['a caller who has enabled it before a person answered', {}, { ...withPerson, bypass: 'caller' }, false],
    [
      'a token that may not answer, although a person has enabled it for its principal',
      { callerTrust: 'full', approvals: 'any' },
      { ...withPerson, bypass: 'person', lacksApproveScope: true },
      false,
    ],
    ['a trusted caller', { callerTrust: 'full' }, alone, true],
    ['a trusted caller for whom a person answers', { callerTrust: 'full' }, withPerson, false],
    ['a trusted caller where any may approve', { callerTrust: 'full', approvals: 'any' }, withPerson, true],
    ['a trusted caller where only people approve', { callerTrust: 'full', approvals: 'human' }, alone, false],
    ['a caller where only people approve', { approvals: 'human' }, { ...alone, bypass: 'caller' }, false],
    [
      'the same caller after approval by a person',
      { approvals: 'human' },
      { ...alone, bypass: 'person' },
      true,
    ],
  ])('is decided for %s', (_who, policy, standing, expected) => {
    expect(mayBypass({ ...plainPolicy, ...policy }, standing)).toBe(expected);
  });

  it('is refused in an error that names the settings that would allow it', () => {
    const refusal = refusalOf(() => refuseBypass(plainPolicy, alone));

    expect(refusal.code).toBe('PERMISSION_DENIED');
    expect(nextStepFor(refusal, asyncVocabulary)).toMatch(/CALLER_TRUST=full.*configure/);
  });

  it.each<[string, Partial<PolicySettings>, CallerStanding, RegExp]>([
    [
      'only people approve',
      { approvals: 'human' },
      alone,
      /^Use "default", which asks a person\. To use it, /,
    ],
    ['a person can be asked', {}, { ...alone, canAskPerson: true }, /^Use "default" and answer requests/],
    ['the operator lists modes', { callerModes: ['plan'] }, alone, /^Use "default" and answer requests/],
  ])('is refused where %s, without advice that would be refused, too', (_where, policy, standing, step) => {
    const refusal = refusalOf(() => refuseBypass({ ...plainPolicy, ...policy }, standing));

    const words = nextStepFor(refusal, asyncVocabulary);

    expect(words).toMatch(step);
    expect(words).not.toContain('acceptEdits');
  });

  it('is refused where only people approve, without a setting that would not allow it there', () => {
    const refusal = refusalOf(() => refuseBypass({ ...plainPolicy, approvals: 'human' }, alone));

    expect(nextStepFor(refusal, asyncVocabulary)).not.toContain('CALLER_TRUST');
  });
});
