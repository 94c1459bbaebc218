import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeviceRefusal, RefusalReason } from '../../src/core/observability/measurements.js';
import { startIssuer } from '../kit/issuer.js';
import { deferred } from '../kit/deferred.js';
import { loginScene } from '../kit/login-scene.js';

type Scene = ReturnType<typeof loginScene>;

interface Trial {
  /** Sends a request that is refused. */
  readonly send: (scene: Scene) => Promise<Response>;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who the audit log names. */
  readonly sender?: { readonly principal: string; readonly login: string };
  readonly env?: Readonly<Record<string, string>>;
}

const forged = `ccm_${'x'.repeat(43)}`;

/** Every reason, so that a new one needs a trial. */
const trials: Readonly<
  Record<Exclude<RefusalReason, 'wrong_audience' | 'foreign_connection' | DeviceRefusal>, Trial>
> = {
  foreign_host: {
    send: ({ fetch }) => fetch('/mcp', { headers: { host: 'evil.example.com' } }),
    status: 421,
  },
  foreign_page: {
    send: ({ fetch }) => fetch('/mcp', { headers: { origin: 'https://evil.example.com' } }),
    status: 403,
  },
  no_token: { send: ({ fetch }) => fetch('/mcp'), status: 401, headers: { 'www-authenticate': 'Bearer' } },
  wrong_token: {
    send: ({ fetch }) => fetch('/mcp', { token: forged }),
    status: 401,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  },
  expired_token: {
    async send({ fetch, createToken, clock }) {
      const token = await createToken('old', ['call'], clock.now() + 1_000);
      clock.advance(1_000);
      return fetch('/mcp', { token });
    },
    status: 401,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  },
  unknown_principal: {
    async send({ fetch, tokens }) {
      const token = await tokens.create({ name: 'gone', principal: 'bob', scopes: ['call'], now: 0 });
      return fetch('/mcp', { token });
    },
    status: 403,
    sender: { principal: 'bob', login: 'gone' },
  },
  missing_scope: {
    send: async ({ fetch, createToken }) => fetch('/mcp', { token: await createToken('page', ['approve']) }),
    status: 403,
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="call"' },
    sender: { principal: 'owner', login: 'page' },
  },
  too_many_failures: {
    async send({ fetch }) {
      for (let sent = 0; sent < 20; sent += 1) await fetch('/mcp', { token: forged });
      return fetch('/mcp', { token: forged });
    },
    status: 429,
    headers: { 'retry-after': '3' },
  },
  too_many_anonymous: {
    async send({ fetch }) {
      for (let sent = 0; sent < 600; sent += 1) await fetch('/healthz');
      return fetch('/mcp');
    },
    status: 429,
    headers: { 'retry-after': '1', connection: 'close' },
  },
  too_many_requests: {
    env: { CLAUDE_CODE_MCP_MAX_REQUESTS_PER_MINUTE: '1' },
    async send({ fetch, createToken, served }) {
      const token = await createToken('busy', ['call']);
      await fetch('/mcp', { token });
      served.pop();
      return fetch('/mcp', { token });
    },
    status: 429,
    headers: { 'retry-after': '60' },
    sender: { principal: 'owner', login: 'busy' },
  },
  login_unavailable: {
    send({ fetch, stateDir }) {
      writeFileSync(join(stateDir, 'tokens.json'), 'damaged');
      return fetch('/mcp', { token: forged });
    },
    status: 503,
    headers: { 'retry-after': '5' },
  },
};

describe('a refused request', () => {
  it.each(Object.entries(trials))(
    'is answered, counted and audited, and starts nothing: %s',
    async (reason, { send, status, headers = {}, sender, env = {} }) => {
      const scene = loginScene({ env });

      const response = await send(scene);

      const last = scene.audited.at(-1);
      expect(response.status).toBe(status);
      expect(Object.fromEntries(response.headers)).toMatchObject(headers);
      expect(last).toEqual({
        what: 'request_refused',
        reason,
        peer: '127.0.0.1',
        path: '/mcp',
        principal: undefined,
        login: undefined,
        count: 1,
        ...sender,
      });
      expect(scene.measured.at(-1)).toEqual({ what: 'request_refused', reason });
      expect(scene.served).toEqual([]);
      expect(JSON.stringify([scene.audited, scene.logged, await response.text()])).not.toMatch(/ccm_/);
    },
  );

  it('of a stranger keeps out neither a token from the same address nor another address', async () => {
    const { fetch, createToken, measured } = loginScene();
    const token = await createToken('laptop', ['call']);
    const paths = ['/healthz', '/readyz', '/mcp', '/nowhere'];
    const statuses: number[] = [];
    for (let sent = 0; sent < 700; sent += 1)
      statuses.push((await fetch(paths[sent % 4] ?? '', { headers: { 'x-n': String(sent) } })).status);

    const withToken = await fetch('/mcp', { token });
    const other = await fetch('/healthz', {}, { peer: '192.0.2.7' });

    expect(statuses.slice(600)).toEqual(Array.from({ length: 100 }, () => 429));
    expect(measured.filter((one) => 'reason' in one && one.reason === 'too_many_anonymous')).toHaveLength(
      100,
    );
    expect([withToken.status, other.status]).toEqual([200, 200]);
  });

  it('without a token is one of too many from all addresses', async () => {
    const { fetch, clock } = loginScene();
    for (let sent = 0; sent < 6_000; sent += 1) await fetch('/nowhere', {}, { peer: `10.0.0.${sent % 200}` });

    const refused = await fetch('/nowhere', {}, { peer: '192.0.2.7' });
    const alive = await fetch('/healthz', {}, { peer: '192.0.2.7' });
    clock.advance(1_000);
    const later = await fetch('/nowhere', {}, { peer: '192.0.2.7' });

    expect([refused.status, refused.headers.get('connection')]).toEqual([429, 'close']);
    expect([alive.status, later.status]).toEqual([200, 404]);
  });

  it('comes from a token whose running requests take a quarter of the connections', async () => {
    const { fetch, tokens, clock, createToken } = loginScene({
      env: { CLAUDE_CODE_MCP_MAX_CONNECTIONS: '20' },
    });
    const rights = { principal: 'alice', now: clock.now() } as const;
    const script = await tokens.create({ name: 'a', scopes: ['call'], ...rights });
    const person = await tokens.create({ name: 'b', scopes: ['call', 'approve'], ...rights });
    const owner = await createToken('o', ['call']);
    const leaves = deferred();
    const statusFor = async (token: string) =>
      (await fetch('/mcp', { token }, { closed: leaves.promise })).status;
    const running = await Promise.all(Array.from({ length: 5 }, () => statusFor(script)));

    const refused = await statusFor(script);
    const others = [await statusFor(person), await statusFor(owner)];
    leaves.resolve();
    await leaves.promise;
    const later = await statusFor(script);

    expect({ running: [...new Set(running)], refused, others, later }).toEqual({
      running: [200],
      refused: 429,
      others: [200, 200],
      later: 200,
    });
  });

  it('does not block a request with a valid token, even from the same address', async () => {
    const { fetch, createToken, served } = loginScene();
    const token = await createToken('laptop', ['call']);
    for (let sent = 0; sent < 30; sent += 1) await fetch('/mcp', { token: forged });

    const response = await fetch('/mcp', { token });

    expect({ status: response.status, served }).toMatchObject({
      status: 200,
      served: [{ credential: 'laptop' }],
    });
  });

  it('adds to one audit entry per minute when it is repeated', async () => {
    const { fetch, audited, clock } = loginScene();
    for (let sent = 0; sent < 5; sent += 1) await fetch('/mcp');
    await fetch('/mcp', {}, { peer: '192.0.2.1' });

    clock.advance(60_000);

    expect(audited).toMatchObject([
      { reason: 'no_token', peer: '127.0.0.1', count: 1 },
      { reason: 'no_token', peer: '192.0.2.1', count: 1 },
      { reason: 'no_token', peer: '127.0.0.1', count: 4 },
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('uses bounded memory and audit entries, regardless of the number of addresses', async () => {
    const { fetch, audited, measured } = loginScene();

    for (let peer = 0; peer < 1_500; peer += 1)
      await fetch('/mcp', { headers: { host: 'evil.example.com' } }, { peer: `peer ${peer}` });

    expect(audited).toHaveLength(1_001);
    expect(audited.at(-1)).toMatchObject({ reason: 'foreign_host', peer: 'many' });
    expect(measured).toHaveLength(1_500);
  });

  it('is recorded with its sender, however many strangers send others', async () => {
    const { fetch, createToken, tokens, audited } = loginScene();
    const owners = await createToken('laptop', ['call']);
    const hers = await tokens.create({ name: 'hers', principal: 'alice', scopes: ['call'], now: 0 });
    for (let peer = 0; peer < 1_500; peer += 1) await fetch('/mcp', {}, { peer: `peer ${peer}` });

    for (const token of [owners, hers]) await fetch('/metrics', { token });

    expect(audited.slice(-2)).toMatchObject([
      { reason: 'missing_scope', peer: '127.0.0.1', principal: 'owner', login: 'laptop' },
      { reason: 'missing_scope', peer: '127.0.0.1', principal: 'alice', login: 'hers' },
    ]);
  });

  it('of one of too many senders is recorded with none of them', async () => {
    const { fetch, createToken, audited } = loginScene();
    const token = await createToken('laptop', ['call']);

    for (let peer = 0; peer < 1_001; peer += 1) await fetch('/metrics', { token }, { peer: `peer ${peer}` });

    expect(audited.at(-1)).toMatchObject({ peer: 'many', principal: undefined, login: undefined });
  });
});

describe('with OAuth', () => {
  const audience = 'https://claude.example.com/mcp';

  async function oauthScene() {
    const issuer = await startIssuer();
    const scene = loginScene({
      env: {
        CLAUDE_CODE_MCP_OAUTH_ISSUER: issuer.url,
        CLAUDE_CODE_MCP_OAUTH_AUDIENCE: audience,
        CLAUDE_CODE_MCP_OAUTH_SCOPES: 'call=mcp:use',
      },
    });
    const exp = Math.floor(scene.clock.now() / 1_000) + 60;
    const claims = { iss: issuer.url, aud: audience, sub: 'alice', exp, scope: 'mcp:use' };
    return { ...scene, issuer, claims };
  }

  const metadata = 'resource_metadata="https://claude.example.com/.well-known/oauth-protected-resource/mcp"';

  it('a client without a token learns where to get one', async () => {
    const { fetch, issuer } = await oauthScene();

    const refused = await fetch('/mcp');
    const found = await fetch('/.well-known/oauth-protected-resource/mcp');

    expect(refused.headers.get('www-authenticate')).toBe(`Bearer scope="mcp:use", ${metadata}`);
    expect(await found.json()).toEqual({
      resource: audience,
      authorization_servers: [issuer.url],
      scopes_supported: ['mcp:use', 'approve'],
      bearer_methods_supported: ['header'],
      resource_name: 'claude-code-mcp',
    });
  });

  it('a token of the issuer and a named token are both served', async () => {
    const { fetch, createToken, issuer, claims, served } = await oauthScene();

    await fetch('/mcp', { token: await issuer.sign(claims) });
    await fetch('/mcp', { token: await createToken('laptop', ['call']) });

    expect(served).toMatchObject([
      { principal: 'alice', credential: 'oauth:alice' },
      { principal: 'owner', credential: 'laptop' },
    ]);
  });

  it.each([
    [
      'wrong_audience',
      401,
      { aud: 'https://other.example.com' },
      `error="invalid_token", scope="mcp:use", ${metadata}`,
    ],
    ['missing_scope', 403, { scope: 'other' }, `error="insufficient_scope", scope="mcp:use", ${metadata}`],
    ['unknown_principal', 403, { sub: 'mallory' }, undefined],
  ] as const)('a token is refused: %s', async (reason, status, changes, challenge) => {
    const { fetch, issuer, claims, audited, served } = await oauthScene();

    const response = await fetch('/mcp', { token: await issuer.sign({ ...claims, ...changes }) });

    expect(response.status).toBe(status);
    expect(response.headers.get('www-authenticate') ?? undefined).toBe(challenge && `Bearer ${challenge}`);
    expect({ audited, served }).toMatchObject({ audited: [{ reason }], served: [] });
  });
});

describe('the sessions of another principal', () => {
  it('can be used by an admin, who is recorded with the token of the admin', async () => {
    const { fetch, createToken, served } = loginScene();

    await fetch('/mcp/alice', { token: await createToken('boss', ['call', 'admin']) });

    expect(served).toMatchObject([{ principal: 'alice', credential: 'boss' }]);
  });

  it.each([
    ['missing_scope', '/mcp/alice', ['call', 'approve']],
    ['unknown_principal', '/mcp/bob', ['call', 'admin']],
  ] as const)('stay closed: %s', async (reason, path, scopes) => {
    const { fetch, createToken, audited, served } = loginScene();

    const response = await fetch(path, { token: await createToken('t', scopes) });

    expect({ status: response.status, audited, served }).toMatchObject({
      status: 403,
      audited: [{ reason, path }],
      served: [],
    });
  });
});

it('many requests write one line to the log in a minute, while the tokens cannot be read', async () => {
  const { fetch, stateDir, logged } = loginScene();
  writeFileSync(join(stateDir, 'tokens.json'), 'damaged');

  const answers = await Promise.all(Array.from({ length: 50 }, () => fetch('/mcp', { token: forged })));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(logged).toEqual([expect.stringMatching(/^the tokens cannot be read .* is damaged/)]);
});
