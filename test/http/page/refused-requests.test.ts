import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RefusalReason } from '../../../src/core/observability/measurements.js';
import { headersOf, pageScene, type Jar } from '../../kit/page-scene.js';

type Scene = ReturnType<typeof pageScene>;

interface Trial {
  /** Sends a request that is refused. The browser is paired. */
  readonly send: (scene: Scene, jar: Jar & { readonly deviceId: string }) => Promise<Response>;
  readonly status: number;
  readonly reason: RefusalReason;
  readonly sender?: { readonly principal: string; readonly login: string };
}

const guess = 'x'.repeat(43);

async function often(times: number, send: () => Promise<Response>): Promise<Response> {
  for (let sent = 1; sent < times; sent += 1) await send();
  return send();
}

const trials: Readonly<Record<string, Trial>> = {
  'a page of another origin': {
    send: ({ call }, jar) => call('me', {}, jar, { headers: { origin: 'https://evil.example.com' } }),
    status: 403,
    reason: 'foreign_page',
  },
  'a page on another port of this machine': {
    send: ({ call }, jar) => call('me', {}, jar, { headers: { origin: 'http://127.0.0.1:3000' } }),
    status: 403,
    reason: 'foreign_page',
  },
  'a browser that names another site': {
    send: ({ call }, jar) => call('me', {}, jar, { headers: { 'sec-fetch-site': 'cross-site' } }),
    status: 403,
    reason: 'foreign_page',
  },
  'a page that reaches us by a name of its own (DNS rebinding)': {
    send: ({ call }, jar) => call('me', {}, jar, { headers: { host: 'evil.example.com:8137' } }),
    status: 421,
    reason: 'foreign_host',
  },
  'a frame on another site': {
    send: ({ fetch }) =>
      fetch('/', {
        headers: {
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'iframe',
        },
      }),
    status: 403,
    reason: 'foreign_page',
  },
  'a link on another site to anything but the page itself': {
    send: ({ fetch }, jar) =>
      fetch('/api/stream', {
        headers: {
          ...headersOf(jar),
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'document',
        },
      }),
    status: 403,
    reason: 'foreign_page',
  },
  'a form on another site': {
    send: ({ fetch }) =>
      fetch('/', {
        method: 'POST',
        headers: {
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'document',
        },
      }),
    status: 403,
    reason: 'foreign_page',
  },
  'a program without a credential': {
    send: ({ call }) => call('answer', { requestId: 'r', decision: 'allow' }),
    status: 401,
    reason: 'no_device',
  },
  'a program without a credential, on the stream': {
    send: ({ fetch }) => fetch('/api/stream'),
    status: 401,
    reason: 'no_device',
  },
  'a cookie without its key': {
    send: ({ call }, { cookie }) => call('answer', {}, { cookie }),
    status: 401,
    reason: 'wrong_device',
  },
  'a key without its cookie': {
    send: ({ call }, { key }) => call('answer', {}, { key }),
    status: 401,
    reason: 'wrong_device',
  },
  'a device that was revoked': {
    async send({ call, devices }, jar) {
      await devices.devices.revoke(({ deviceId }) => deviceId === jar.deviceId);
      return call('answer', {}, jar);
    },
    status: 401,
    reason: 'wrong_device',
  },
  'a device of a principal that is no longer configured': {
    async send({ call, devices, clock }) {
      const { secrets } = await devices.devices.add({ name: 'Old', principal: 'bob', now: clock.now() });
      return call('answer', {}, { cookie: `claude-code-mcp-8137=${secrets.cookie}`, key: secrets.key });
    },
    status: 401,
    reason: 'unknown_principal',
    sender: { principal: 'bob', login: 'Old' },
  },
  'a code that does not exist': {
    send: ({ call }) => call('pair', { code: guess, name: 'x' }),
    status: 401,
    reason: 'wrong_code',
  },
  'a code that is guessed often': {
    send: ({ call }) => often(21, () => call('pair', { code: guess, name: 'x' })),
    status: 429,
    reason: 'too_many_failures',
  },
  'a wrong password': {
    async send({ call, devices }) {
      await devices.password.set('correct horse battery');
      return call('signIn', { password: 'wrong horse battery', name: 'x' });
    },
    status: 401,
    reason: 'wrong_password',
  },
  'a password that is guessed often': {
    send: ({ call }) => often(6, () => call('signIn', { password: 'wrong horse battery', name: 'x' })),
    status: 429,
    reason: 'too_many_failures',
  },
  'a device while the devices cannot be read': {
    async send({ call, devices }, jar) {
      writeFileSync(join(devices.folder, 'devices.json'), '{');
      return call('answer', {}, jar);
    },
    status: 503,
    reason: 'login_unavailable',
  },
};

describe('the page refuses, counts and audits', () => {
  it.each(Object.entries(trials))('%s', async (_who, { send, status, reason, sender = {} }) => {
    const scene = pageScene({
      desk: { call: () => Promise.reject(new Error('It reached the desk')) },
    });
    const jar = await scene.pair('Mine');

    const answer = await send(scene, jar);

    expect(answer.status).toBe(status);
    expect(scene.measured.at(-1)).toEqual({ what: 'request_refused', reason });
    expect(scene.audited.at(-1)).toEqual({
      what: 'request_refused',
      reason,
      peer: '127.0.0.1',
      path: expect.stringMatching(/^\//),
      principal: undefined,
      login: undefined,
      count: 1,
      ...sender,
    });
  });

  it('passwords that are guessed from many addresses at a time', async () => {
    const { call, devices, measured } = pageScene();
    await devices.password.set('correct horse battery');
    const guessFrom = (peer: string): Promise<Response> =>
      call('signIn', { password: 'wrong horse battery', name: 'x' }, {}, { peer });

    const answers = await Promise.all(Array.from({ length: 12 }, (_, host) => guessFrom(`192.0.2.${host}`)));

    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([401, 429]));
    expect(measured).toContainEqual({ what: 'request_refused', reason: 'too_many_failures' });
    expect((await guessFrom('192.0.2.99')).status).toBe(401);
  });

  it('a device that sends too many requests', async () => {
    const { call, pair, measured } = pageScene({ requestsPerMinute: 1 });
    const jar = await pair();
    expect((await call('me', {}, jar)).status).toBe(200);

    const answer = await call('me', {}, jar);

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
    expect(measured).toEqual([{ what: 'request_refused', reason: 'too_many_requests' }]);
  });
});

describe('a paired device', () => {
  it('is still accepted while the clients of its principal send too many requests', async () => {
    const { call, pair, requests } = pageScene({ requestsPerMinute: 1 });
    const jar = await pair();
    requests.take('owner');

    expect(requests.take('owner')).toBeGreaterThan(0);
    expect((await call('me', {}, jar)).status).toBe(200);
  });

  it('is still accepted while others guess', async () => {
    const { call, pair } = pageScene();
    const jar = await pair();
    const guessed = await often(30, () => call('pair', { code: guess, name: 'x' }));

    expect(guessed.status).toBe(429);
    expect((await call('me', {}, jar)).status).toBe(200);
  });
});
