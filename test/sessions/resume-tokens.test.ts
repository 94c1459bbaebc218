import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { ResumeTokens } from '../../src/sessions/resume-tokens.js';

const id = '00000000-0000-4000-8000-000000000001';
const otherId = '00000000-0000-4000-8000-000000000002';
const tokens = new ResumeTokens('a secret of the operator');

describe('a resume token', () => {
  it('is an HMAC-SHA256 of the session id, the same each time', () => {
    const expected = createHmac('sha256', 'a secret of the operator')
      .update(`resume:${id}`)
      .digest('base64url');

    expect([tokens.issue(id), tokens.issue(id)]).toEqual([expected, expected]);
  });

  it('differs for another session or another secret', () => {
    const issued = [tokens.issue(id), tokens.issue(otherId), new ResumeTokens('another secret').issue(id)];

    expect(new Set(issued).size).toBe(3);
  });

  it('opens its own session', () => {
    expect(() => tokens.refuseWithout(id, tokens.issue(id))).not.toThrow();
  });

  it.each([
    ['of another session', tokens.issue(otherId)],
    ['of another operator', new ResumeTokens('another secret').issue(id)],
    ['that is empty', ''],
    ['that is truncated', tokens.issue(id)?.slice(0, -1)],
    ['with a suffix', `${tokens.issue(id)}A`],
    ['in lower case', tokens.issue(id)?.toLowerCase()],
    ['of wide characters', 'é'.repeat(43)],
  ])('%s opens nothing', (_, token) => {
    expect(() => tokens.refuseWithout(id, token)).toThrow(new AppError('resume_token_wrong'));
  });

  it('is required', () => {
    expect(() => tokens.refuseWithout(id, undefined)).toThrow(
      `session ${id} is not loaded on this server, and resuming it needs its resumeToken`,
    );
  });
});

describe('without a secret', () => {
  it('there are no tokens, and none is needed', () => {
    const open = new ResumeTokens(undefined);

    expect(open.issue(id)).toBeUndefined();
    expect(() => open.refuseWithout(id, undefined)).not.toThrow();
    expect(() => open.refuseWithout(id, 'anything')).not.toThrow();
  });
});
