import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { issuerKeys } from '../../../src/http/auth/issuer-keys.js';
import { oauthTokens, type OAuthSettings } from '../../../src/http/auth/oauth.js';
import { FakeClock } from '../../kit/fake-clock.js';
import { startIssuer } from '../../kit/issuer.js';

const audience = 'https://claude.example.com/mcp';

async function scene(changes: Partial<OAuthSettings> = {}, isDiscovered = false) {
  const issuer = await startIssuer();
  const clock = new FakeClock(Date.now());
  const logged: string[] = [];
  const keys = issuerKeys({ issuer: issuer.url, jwksUrl: isDiscovered ? undefined : issuer.jwksUrl, clock });
  const kind = oauthTokens(
    {
      issuer: issuer.url,
      audience,
      principalClaim: 'sub',
      principals: new Map(),
      scopeNames: { call: 'call', approve: 'approve', admin: 'admin' },
      owner: 'owner',
      ...changes,
    },
    {
      keys,
      clock,
      logger: { log: (_level, message, fields) => void logged.push(message, String(fields?.['reason'])) },
    },
  );
  const exp = Math.floor(clock.now() / 1_000) + 300;
  const claims: JWTPayload = { iss: issuer.url, aud: audience, sub: 'alice', exp, scope: 'call approve' };
  return { issuer, clock, kind, claims, exp, logged };
}

describe('an OAuth token', () => {
  it.each([false, true])(
    'is accepted with its principal and scopes; keys discovered: %s',
    async (isDiscovered) => {
      const { issuer, kind, claims, exp } = await scene({}, isDiscovered);

      const found = await kind.identify(await issuer.sign(claims));

      expect(found).toEqual({
        principal: 'alice',
        credential: 'oauth:alice',
        scopes: ['call', 'approve'],
        expiresAt: exp,
      });
    },
  );

  const wrong: Readonly<Record<string, readonly [JWTPayload, string]>> = {
    'from another issuer': [{ iss: 'https://evil.example.com' }, 'wrong_token'],
    'for another audience': [{ aud: 'https://other.example.com' }, 'wrong_audience'],
    'without an audience': [{ aud: undefined as never }, 'wrong_audience'],
    'that has expired': [{ exp: 1_000 }, 'expired_token'],
    'that never expires': [{ exp: undefined as never }, 'wrong_token'],
    'that is not valid yet': [{ nbf: 9_999_999_999 }, 'wrong_token'],
    'without a subject': [{ sub: undefined as never }, 'wrong_token'],
    'with an empty subject': [{ sub: '' }, 'wrong_token'],
    'whose subject claims to be the owner': [{ sub: 'owner' }, 'wrong_token'],
    'with an endless subject': [{ sub: 'x'.repeat(1_000) }, 'wrong_token'],
  };

  it.each(Object.entries(wrong))('is refused: one %s', async (_which, [changes, problem]) => {
    const { issuer, kind, claims } = await scene();

    expect(await kind.identify(await issuer.sign({ ...claims, ...changes }))).toBe(problem);
    expect(await kind.identify(await issuer.sign(claims))).toMatchObject({ principal: 'alice' });
  });

  it('is refused without a signature, with a shared key, and with a signature of another key', async () => {
    const { issuer, kind, claims } = await scene();
    const other = await startIssuer();
    const shared = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: '0' });

    expect([
      await kind.identify(new UnsecuredJWT(claims).encode()),
      await kind.identify(await shared.sign(new TextEncoder().encode(issuer.jwksUrl.padEnd(32)))),
      await kind.identify(await other.sign(claims)),
      await kind.identify(await issuer.sign(claims, { kid: 'unknown' })),
      await kind.identify('a.b.c'),
    ]).toEqual(Array.from({ length: 5 }, () => 'wrong_token'));
  });

  it('names the principal by another claim, and the owner only through the list', async () => {
    const { issuer, kind, claims } = await scene({
      principalClaim: 'email',
      principals: new Map([['a@example.com', 'owner']]),
    });
    const principalOf = async (email: string) => kind.identify(await issuer.sign({ ...claims, email }));

    expect(await principalOf('a@example.com')).toMatchObject({
      principal: 'owner',
      credential: 'oauth:alice',
    });
    expect(await principalOf('bob')).toMatchObject({ principal: 'bob' });
    expect(await principalOf('owner')).toBe('wrong_token');
  });

  it('grants no scope that has no name at the issuer', async () => {
    const { issuer, kind, claims } = await scene({ scopeNames: { call: 'call', approve: 'approve' } });

    const identity = await kind.identify(await issuer.sign({ ...claims, scope: 'call  admin undefined' }));

    expect(identity).toMatchObject({ scopes: ['call'] });
  });

  it.each<[string, JWTPayload]>([
    ['a text', { scope: 'mcp:use admin', scp: undefined }],
    ['another text', { scope: undefined, scp: 'mcp:use' }],
    ['a list', { scope: undefined, scp: ['mcp:use', 'other'] }],
  ])('grants the scopes that the operator maps: %s', async (_form, scopes) => {
    const { issuer, kind, claims } = await scene({
      scopeNames: { call: 'mcp:use', approve: 'mcp:approve', admin: 'mcp:admin' },
    });

    expect(await kind.identify(await issuer.sign({ ...claims, ...scopes }))).toMatchObject({
      scopes: ['call'],
    });
  });
});

describe('the keys of an issuer', () => {
  it('are all tried if several have the id that a token names, or if it names none', async () => {
    const { issuer, kind, claims } = await scene();
    const [own, other] = [await issuer.keys(), await (await startIssuer()).keys()];
    issuer.answer(async () => ({ keys: [...other, ...own] }));

    expect([
      await kind.identify(await issuer.sign(claims)),
      await kind.identify(await issuer.sign(claims, { kid: undefined })),
      await kind.identify(await issuer.sign({ ...claims, exp: 1_000 })),
      await kind.identify(await (await startIssuer()).sign(claims)),
    ]).toMatchObject([{ principal: 'alice' }, { principal: 'alice' }, 'expired_token', 'wrong_token']);
  });

  it('are fetched once for many tokens', async () => {
    const { issuer, kind, claims } = await scene();
    const tokens = await Promise.all(['a', 'b', 'c'].map((sub) => issuer.sign({ ...claims, sub })));

    for (const token of tokens) await kind.identify(token);

    expect(issuer.fetches()).toBe(1);
  });

  it('stay available after tokens that name no key of the issuer', async () => {
    const { issuer, kind, claims } = await scene();

    const wrong = await kind.identify(await issuer.sign(claims, { kid: 'unknown' }));

    expect(wrong).toBe('wrong_token');
    expect(await kind.identify(await issuer.sign(claims))).toMatchObject({ principal: 'alice' });
  });

  it('that are cached still count when a token names an unknown one during an outage', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { issuer, clock, kind, claims } = await scene();
    const [good, invented] = [await issuer.sign(claims), await issuer.sign(claims, { kid: 'invented' })];
    await kind.identify(good);
    issuer.fail(true);
    // Unknown keys are looked up twice a minute at most.
    vi.advanceTimersByTime(31_000);

    const unknown = await kind.identify(invented);
    const known = await kind.identify(good);
    for (const time of [clock.advance.bind(clock), vi.advanceTimersByTime.bind(vi)]) time(3_600_001);
    const tooOld = await kind.identify(await issuer.sign({ ...claims, exp: (claims.exp ?? 0) + 7_200 }));

    expect({ unknown, known, tooOld }).toEqual({
      unknown: 'login_unavailable',
      known: expect.objectContaining({ principal: 'alice' }),
      tooOld: 'login_unavailable',
    });
  });

  it.each([false, true])(
    'that cannot be fetched refuse everyone for a moment; discovered: %s',
    async (isDiscovered) => {
      const { issuer, clock, kind, claims, logged } = await scene({}, isDiscovered);
      const token = await issuer.sign(claims);
      issuer.fail(true);

      const down = await kind.identify(token);
      issuer.fail(false);
      const tooEarly = await kind.identify(token);
      clock.advance(5_000);
      const later = await kind.identify(token);

      expect({ down, tooEarly, later }).toEqual({
        down: 'login_unavailable',
        tooEarly: 'login_unavailable',
        later: expect.objectContaining({ principal: 'alice' }),
      });
      expect(logged).toContain('the keys of the OAuth issuer cannot be fetched');
    },
  );

  it('are fetched again after an outage, even if the system clock was set back meanwhile', async () => {
    const { issuer, clock, kind, claims } = await scene();
    const token = await issuer.sign(claims);
    issuer.fail(true);
    await kind.identify(token);
    issuer.fail(false);
    clock.jump(-3_600_000);
    clock.advance(5_000);

    expect(await kind.identify(token)).toMatchObject({ principal: 'alice' });
  });

  it.each([
    ['is no key set', async () => 'maintenance', 'answered without keys'],
    ['is endless', async () => ({ keys: [], x: 'x'.repeat(2_000_000) }), 'sends more than 1048576 bytes'],
  ])('count for an hour while the issuer sends what %s', async (_what, answer, reason) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { issuer, clock, kind, claims, exp, logged } = await scene();
    const token = await issuer.sign({ ...claims, exp: exp + 90_000 });
    await kind.identify(token);
    issuer.answer(answer);
    const found: string[] = [];

    for (let at = 0; at < 5; at += 1) {
      for (const time of [clock.advance.bind(clock), vi.advanceTimersByTime.bind(vi)]) time(900_001);
      const one = await kind.identify(token);
      found.push(typeof one === 'string' ? one : one.principal);
    }

    expect(found).toEqual(['alice', 'alice', 'alice', 'login_unavailable', 'login_unavailable']);
    expect(logged.join()).toContain(reason);
  });
});
