import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CallbackServer, type Registration } from '../../../src/backends/cli/permission/callback-server.js';
import type { PermissionQuestion } from '../../../src/backends/cli/permission/protocol.js';
import { deferred } from '../../kit/deferred.js';

interface Asked {
  readonly question: PermissionQuestion;
  readonly signal: AbortSignal;
  readonly answer: (verdict: object) => void;
}

interface Post {
  readonly token?: string | undefined;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const body = JSON.stringify({ sessionId: 'one', tool_use_id: 'toolu_1', tool_name: 'Bash', input: { a: 1 } });

/** A session at the callback server, and what was asked in its name. */
async function register(server: CallbackServer, sessionId: string) {
  const asked: Asked[] = [];
  const registration = await server.register(sessionId, (question, signal) => {
    const { promise, resolve } = deferred<object>();
    asked.push({ question, signal, answer: resolve });
    return promise;
  });
  onTestFinished(() => registration.close());
  return { ...registration, registration, asked };
}

async function post({ port }: Pick<Registration, 'port'>, { token, ...given }: Post) {
  const asking = request({
    host: '127.0.0.1',
    port,
    path: given.path ?? '/permission-check',
    method: given.method ?? 'POST',
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...given.headers },
    agent: false,
  });
  asking.on('error', () => undefined);
  asking.end(given.body ?? body);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return { asking, response, status: response.statusCode };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response) text += String(part);
  return text;
}

describe('the permission callback', () => {
  it('forwards a question to its session and returns the answer', async () => {
    const one = await register(new CallbackServer(), 'one');

    const { response, status } = await post(one, { token: one.token });
    await vi.waitFor(() => expect(one.asked).toHaveLength(1));
    one.asked[0]?.answer({ behavior: 'allow', updatedInput: { a: 1 } });

    expect([status, JSON.parse(await textOf(response))]).toEqual([
      200,
      { behavior: 'allow', updatedInput: { a: 1 } },
    ]);
    expect(one.asked[0]).toMatchObject({ question: JSON.parse(body), signal: { aborted: false } });
  });

  it('rejects a wrong, a missing and another session’s token, and asks nobody', async () => {
    const server = new CallbackServer();
    const [one, two] = [await register(server, 'one'), await register(server, 'two')];

    const statuses = [
      await post(one, { token: 'wrong' }),
      await post(one, {}),
      await post(one, { token: '' }),
      await post(one, { token: two.token }),
      await post(one, { headers: { authorization: one.token } }),
    ].map(({ status }) => status);

    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    expect([one.asked, two.asked]).toEqual([[], []]);
  });

  it('rejects the token of a session that has ended', async () => {
    const server = new CallbackServer();
    const [one, two] = [await register(server, 'one'), await register(server, 'two')];
    one.registration.close();

    const { status } = await post(two, { token: one.token });

    expect(status).toBe(401);
  });

  it.each<[string, Post, number]>([
    ['another host name', { headers: { host: 'rebound.example' } }, 403],
    ['the name localhost', { headers: { host: 'localhost' } }, 403],
    ['an origin', { headers: { origin: 'http://127.0.0.1' } }, 403],
    ['the origin null', { headers: { origin: 'null' } }, 403],
    ['another path', { path: '/' }, 404],
    ['another method', { method: 'PUT' }, 404],
    ['a body that is no JSON', { body: '{' }, 400],
    ['a body that is no question', { body: '{"sessionId":"one"}' }, 400],
    ['a declared body of more than 10 MB', { headers: { 'content-length': '10485761' }, body: '' }, 413],
  ])('rejects %s, even with the right token', async (_name, given, expected) => {
    const one = await register(new CallbackServer(), 'one');

    const { status, asking } = await post(one, { token: one.token, ...given });
    asking.destroy();

    expect(status).toBe(expected);
    expect(one.asked).toEqual([]);
  });

  it('rejects a body that turns out to be longer than 10 MB', async () => {
    const one = await register(new CallbackServer(), 'one');
    const headers = { 'transfer-encoding': 'chunked' };

    const { status, asking } = await post(one, {
      token: one.token,
      headers,
      body: 'x'.repeat(10 * 1024 * 1024 + 1),
    });
    asking.destroy();

    expect(status).toBe(413);
  });

  it('limits a session to sixteen open questions, counting each session separately', async () => {
    const server = new CallbackServer();
    const [one, two] = [await register(server, 'one'), await register(server, 'two')];
    const open = await Promise.all(Array.from({ length: 16 }, () => post(one, { token: one.token })));

    const tooMany = await post(one, { token: one.token });
    const ofTwo = await post(two, { token: two.token, body: body.replace('one', 'two') });
    one.asked[0]?.answer({ behavior: 'deny', message: 'no' });
    await vi.waitFor(async () => {
      const { status, asking } = await post(one, { token: one.token });
      asking.destroy();
      expect(status).toBe(200);
    });

    expect([tooMany.status, ofTwo.status]).toEqual([429, 200]);
    for (const { asking } of [...open, ofTwo]) asking.destroy();
  });

  it('aborts the question when the script disconnects', async () => {
    const one = await register(new CallbackServer(), 'one');
    const { asking } = await post(one, { token: one.token });

    asking.destroy();

    await vi.waitFor(() => expect(one.asked[0]?.signal.aborted).toBe(true));
  });

  it('denies when the question fails', async () => {
    const server = new CallbackServer();
    const registration = await server.register('one', () => Promise.reject(new Error('secret detail')));
    onTestFinished(() => registration.close());

    const { response } = await post(registration, { token: registration.token });

    expect(JSON.parse(await textOf(response))).toEqual({
      behavior: 'deny',
      message: 'Denied, because the approver could not be asked.',
    });
  });

  it('keeps the connection alive until an answer arrives', async () => {
    const one = await register(new CallbackServer(), 'one');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { response } = await post(one, { token: one.token });

    vi.advanceTimersByTime(6 * 60_000);
    one.asked[0]?.answer({ behavior: 'deny', message: 'at last' });
    const said = await textOf(response);

    expect(said).toMatch(/^ {36}\{/);
    expect(JSON.parse(said)).toEqual({ behavior: 'deny', message: 'at last' });
  });
});
