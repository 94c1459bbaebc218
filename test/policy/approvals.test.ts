import { plainPolicy } from '../kit/policy.js';
import { describe, expect, it } from 'vitest';
import { isPersonNeeded, mayAskPerson, refuseApproval } from '../../src/policy/approvals.js';
import type { PolicySettings } from '../../src/policy/settings.js';

function policy(approvals: PolicySettings['approvals']): PolicySettings {
  return { ...plainPolicy, approvals, preallow: undefined };
}

const unshown = { isShown: false, shownAgainInMs: 0 };
const alone = { canAskPerson: false, hasPerson: false };
const withForms = { canAskPerson: true, hasPerson: false };
const withPerson = { canAskPerson: true, hasPerson: true };

describe('an approval by a caller', () => {
  it.each([
    ['auto', 'a client without forms', alone, false],
    ['auto', 'a client whose forms nobody has answered', withForms, false],
    ['auto', 'a client whose person has answered', withPerson, true],
    ['auto', 'a person who has answered elsewhere', { canAskPerson: false, hasPerson: true }, true],
    ['any', 'a client whose person has answered', withPerson, false],
    ['any', 'a token that may not answer', { ...alone, lacksApproveScope: true }, true],
    ['auto', 'a token that may not answer', { ...alone, lacksApproveScope: true }, true],
    ['human', 'a client without forms', alone, true],
    ['human', 'a client whose person has answered', withPerson, true],
  ] as const)('with approvals %s, from %s: %j needs a person: %s', (approvals, _who, standing, isNeeded) => {
    expect(isPersonNeeded(policy(approvals), standing)).toBe(isNeeded);
  });

  it.each(['permission', 'plan_review'] as const)('is refused for a %s, with the reason', (kind) => {
    expect(() => refuseApproval({ kind }, policy('human'), alone, unshown)).toThrow(
      expect.objectContaining({
        code: 'PERMISSION_DENIED',
        message: 'only a person may approve on this server (CLAUDE_CODE_MCP_APPROVALS=human)',
        params: { approvals: 'human', canAskPerson: false, ...unshown },
      }),
    );
    expect(() => refuseApproval({ kind }, policy('auto'), withPerson, unshown)).toThrow(
      expect.objectContaining({
        code: 'PERMISSION_DENIED',
        message:
          'a person has answered in this client or on the page, so only a person may approve (CLAUDE_CODE_MCP_APPROVALS=auto)',
        params: { approvals: 'auto', canAskPerson: true, ...unshown },
      }),
    );
  });

  it('is accepted where callers may approve', () => {
    expect(() => refuseApproval({ kind: 'permission' }, policy('auto'), withForms, unshown)).not.toThrow();
    expect(() => refuseApproval({ kind: 'plan_review' }, policy('any'), withPerson, unshown)).not.toThrow();
  });

  it('is always accepted for a question, which allows nothing', () => {
    expect(() => refuseApproval({ kind: 'user_question' }, policy('human'), alone, unshown)).not.toThrow();
    expect(() =>
      refuseApproval({ kind: 'user_question' }, policy('auto'), withPerson, unshown),
    ).not.toThrow();
  });
});

describe('a pre-approval', () => {
  it.each(['any', 'auto'] as const)(
    'is bounded for a token that may not answer, with approvals %s',
    (approvals) => {
      expect(mayAskPerson({ approvals }, { ...alone, lacksApproveScope: true })).toBe(true);
      expect(mayAskPerson({ approvals }, alone)).toBe(false);
    },
  );
});
