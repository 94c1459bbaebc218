import { describe, expect, it } from 'vitest';
import { jarOf, pageScene, refusalOf } from '../../kit/page-scene.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

describe('a pairing link', () => {
  it('pairs the browser that opens it, which can then use the page', async () => {
    const { call, devices, clock } = pageScene();
    const code = await devices.codes.create({ principal: 'alice', now: clock.now() });

    const paired = await call('pair', { code, name: 'Firefox on Linux' });
    const jar = await jarOf(paired.clone());
    const me = await call('me', {}, jar);

    const device = {
      deviceId: expect.any(String),
      name: 'Firefox on Linux',
      createdAt: clock.now(),
      lastUsedAt: clock.now(),
      isThis: true,
    };
    expect(await paired.json()).toEqual({ device, key: expect.stringMatching(/^[\w-]{43}$/) });
    expect(await me.json()).toEqual({
      device,
      principal: 'alice',
      version: '1.2.3',
      hasPassword: false,
      modes: ['default'],
      defaultFolder: '/work',
    });
  });

  it('is no request of a stranger, who may have sent too many', async () => {
    const { fetch, devices, clock } = pageScene();
    const code = await devices.codes.create({ principal: 'owner', now: clock.now() });
    const known: string[] = [];
    const pair = async (sent: string): Promise<Response> => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
      const body = JSON.stringify({ code: sent, name: 'x' });
      return fetch('/api/pair', { ...init, body }, { admitted: () => void known.push(sent) });
    };

    const statuses = [(await pair('wrong')).status, (await pair(code)).status, (await pair(code)).status];

    expect({ statuses, known }).toEqual({ statuses: [401, 200, 401], known: [code] });
  });

  it('sets a cookie that scripts and other sites cannot use, with the port in its name', async () => {
    const { call, devices, clock } = pageScene();
    const code = await devices.codes.create({ principal: 'owner', now: clock.now() });

    const paired = await call('pair', { code, name: 'x' });

    expect(paired.headers.get('set-cookie')).toMatch(
      /^claude-code-mcp-8137=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    );
  });

  it('sets a cookie for TLS only where the browser uses TLS', async () => {
    const { call, devices, clock } = pageScene({ origins: ['https://agents.example.com'] });
    const code = await devices.codes.create({ principal: 'owner', now: clock.now() });

    const paired = await call('pair', { code, name: 'x' });

    expect(paired.headers.get('set-cookie')).toMatch(
      /^__Host-claude-code-mcp-443=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  it('works once, even if several browsers use it at the same time', async () => {
    const { call, devices, clock } = pageScene();
    const code = await devices.codes.create({ principal: 'owner', now: clock.now() });

    const answers = await Promise.all([1, 2, 3, 4].map(() => call('pair', { code, name: 'x' })));
    const late = await call('pair', { code, name: 'x' });

    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 401, 401, 401,
    ]);
    expect(await refusalOf(late)).toEqual([401, 'wrong_code']);
    expect(await devices.devices.list(clock.now())).toHaveLength(1);
  });

  it.each([
    ['for two minutes', 119_999, 200],
    ['not longer', 120_000, 401],
    ['not if the system clock was set back', -1, 401],
  ])('works %s', async (_how, ms, status) => {
    const { call, devices, clock } = pageScene();
    const code = await devices.codes.create({ principal: 'owner', now: clock.now() });
    clock.jump(ms);

    expect((await call('pair', { code, name: 'x' })).status).toBe(status);
  });

  it('does not move a browser from one principal to another', async () => {
    const { call, pair, devices, clock } = pageScene();
    const jar = await pair();
    const create = (principal: string) => devices.codes.create({ principal, now: clock.now() });

    const moved = await call('pair', { code: await create('alice'), name: 'x' }, jar);
    const again = await call('pair', { code: await create('owner'), name: 'x' }, jar);

    expect(await refusalOf(moved)).toEqual([409, 'other_principal']);
    expect(moved.headers.has('set-cookie')).toBe(false);
    expect(again.status).toBe(200);
  });

  it('is not accepted for a principal that is no longer configured', async () => {
    const { call, devices, clock } = pageScene();
    const code = await devices.codes.create({ principal: 'bob', now: clock.now() });

    expect(await refusalOf(await call('pair', { code, name: 'x' }))).toEqual([401, 'wrong_code']);
  });
});

describe('a device', () => {
  it.each([
    ['nothing', {}],
    ['only its cookie', { key: undefined }],
    ['only its key', { cookie: undefined }],
    ['a wrong key', { key: 'x'.repeat(43) }],
    ['a wrong cookie', { cookie: `claude-code-mcp-8137=${'x'.repeat(43)}` }],
    ['the cookie of another port', { port: 9_999 }],
  ])('is signed out if it sends %s', async (what, change: Record<string, unknown>) => {
    const { call, pair } = pageScene();
    const { cookie, key } = await pair();
    const full = { cookie, key };
    const moved = 'port' in change ? { cookie: cookie.replace('8137', '9999') } : change;
    const sent = what === 'nothing' ? {} : { ...full, ...moved };
    const used = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));

    expect((await call('me', {}, full)).status).toBe(200);
    expect(await refusalOf(await call('me', {}, used))).toEqual([401, 'signed_out']);
  });

  it('stays signed in when another program of the host adds cookies with the same name', async () => {
    const { call, pair } = pageScene();
    const [{ cookie, key }, other] = [await pair(), await pair()];
    const added = `claude-code-mcp-8137=${'x'.repeat(43)}; claude-code-mcp-8137=`;

    const answers = [`${added}; ${cookie}`, `${cookie}; ${added}`, added, `${added}; ${other.cookie}`].map(
      async (sent) => (await call('me', {}, { cookie: sent, key })).status,
    );

    expect(await Promise.all(answers)).toEqual([200, 200, 401, 401]);
  });

  it('cannot use the key of another device', async () => {
    const { call, pair } = pageScene();
    const [one, other] = [await pair(), await pair()];

    expect(await refusalOf(await call('me', {}, { ...one, key: other.key }))).toEqual([401, 'signed_out']);
  });

  it('is signed out 180 days after it was paired', async () => {
    const { call, pair, clock } = pageScene();
    const jar = await pair();
    clock.jump(180 * 86_400_000 - 1);
    const before = await call('me', {}, jar);
    clock.jump(1);

    expect(before.status).toBe(200);
    expect(await refusalOf(await call('me', {}, jar))).toEqual([401, 'signed_out']);
  });

  it('signs out itself, and its cookie is removed', async () => {
    const { call, pair } = pageScene();
    const jar = await pair();

    const answer = await call('signOut', {}, jar);

    expect(answer.headers.get('set-cookie')).toMatch(/^claude-code-mcp-8137=; Path=\/; Max-Age=0; /);
    expect(await refusalOf(await call('me', {}, jar))).toEqual([401, 'signed_out']);
  });

  it('sees and revokes the devices of its principal only', async () => {
    const { call, pair } = pageScene();
    const [mine, second] = [await pair('Phone'), await pair('Phone')];
    const others = await pair('Laptop', 'alice');

    const before = await call('devices', {}, mine);
    const revoked = await call('revoke', { deviceId: second.deviceId }, mine);
    const foreign = await call('revoke', { deviceId: others.deviceId }, mine);

    expect(await before.json()).toMatchObject({
      devices: [
        { name: 'Phone', isThis: true },
        { name: 'Phone 2', isThis: false },
      ],
    });
    expect(revoked.status).toBe(200);
    expect(await refusalOf(foreign)).toEqual([404, 'device_not_found']);
    expect(await refusalOf(await call('me', {}, second))).toEqual([401, 'signed_out']);
    expect((await call('me', {}, others)).status).toBe(200);
  });

  it('outlives a server with a fixed port, but not one whose port changes', async () => {
    const stateDir = temporaryFolder();
    const fixed = pageScene({ stateDir });
    const own = await fixed.devices.servers.own();
    const moving = pageScene({ stateDir, server: own });
    const [kept, bound] = [await fixed.pair(), await moving.pair()];
    const nextServer = pageScene({ stateDir, server: '1.other' });

    expect((await moving.call('me', {}, bound)).status).toBe(200);
    expect((await nextServer.call('me', {}, kept)).status).toBe(200);
    expect(await refusalOf(await nextServer.call('me', {}, bound))).toEqual([401, 'signed_out']);
  });
});

describe('the password', () => {
  it('pairs a browser without a link', async () => {
    const { call, devices } = pageScene();
    await devices.password.set('correct horse battery');

    const refused = await call('me', {});
    const wrong = await call('signIn', { password: 'Correct horse battery', name: 'x' });
    const jar = await jarOf(await call('signIn', { password: 'correct horse battery', name: 'Phone' }));

    expect(await refused.json()).toMatchObject({ error: { reason: 'signed_out', hasPassword: true } });
    expect(await refusalOf(wrong)).toEqual([401, 'wrong_password']);
    expect(await (await call('me', {}, jar)).json()).toMatchObject({
      device: { name: 'Phone' },
      principal: 'owner',
      hasPassword: true,
    });
  });

  it('is not accepted after it was removed', async () => {
    const { call, devices } = pageScene();
    await devices.password.set('correct horse battery');
    await devices.password.remove();

    const answer = await call('signIn', { password: 'correct horse battery', name: 'x' });

    expect(await refusalOf(answer)).toEqual([401, 'no_password']);
  });

  it('cannot be guessed quickly: at the limit, not even the right one is accepted', async () => {
    const { call, devices, clock } = pageScene();
    await devices.password.set('correct horse battery');
    const attempt = (password: string) => call('signIn', { password, name: 'x' });
    for (let tried = 0; tried < 5; tried += 1) expect((await attempt('wrong guess')).status).toBe(401);

    const limited = await attempt('correct horse battery');
    clock.advance(60_000);
    const later = await attempt('correct horse battery');

    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '12']);
    expect(later.status).toBe(200);
  });
});
