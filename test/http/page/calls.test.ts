import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors.js';
import { FairTurns } from '../../../src/http/auth/fair-turns.js';
import type { Desk, Person } from '../../../src/page/desk.js';
import { deferred } from '../../kit/deferred.js';
import { headersOf, pageScene, refusalOf, type PageRequest } from '../../kit/page-scene.js';

/** A desk that notes every call. */
function notingDesk() {
  const calls: { name: string; input: unknown; person: Person }[] = [];
  const desk: Pick<Desk, 'call'> = {
    async call(name, input, person) {
      calls.push({ name, input, person });
      return Object.create(null);
    },
  };
  return { calls, desk };
}

describe('a call of the page', () => {
  it('reaches the desk with the person behind the device', async () => {
    const { calls, desk } = notingDesk();
    const { call, pair } = pageScene({ desk });
    const jar = await pair('Phone', 'alice');

    const answer = await call('interrupt', { sessionId: 's' }, jar);

    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    expect(calls).toEqual([
      {
        name: 'interrupt',
        input: { sessionId: 's' },
        person: { deviceId: jar.deviceId, device: 'Phone', principal: 'alice' },
      },
    ]);
  });

  it.each([
    ['another type', { headers: { 'content-type': 'text/plain' } }, 415, 'not_json'],
    [
      'the type of a form',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'not_json',
    ],
    ['a type that begins like ours', { headers: { 'content-type': 'application/jsonx' } }, 415, 'not_json'],
    ['text that is not JSON', { body: '{' }, 400, 'invalid_body'],
    ['no text', { body: '' }, 400, 'invalid_body'],
    ['bytes that are not text', { body: new Uint8Array([0x22, 0xff, 0x22]) }, 400, 'invalid_body'],
    ['9,000 levels', { body: `${'['.repeat(9_000)}${']'.repeat(9_000)}` }, 413, 'too_large'],
    ['more than 1 MiB', { body: `"${'x'.repeat(1_048_576)}"` }, 413, 'too_large'],
    [
      'a length of more than 1 MiB',
      { headers: { 'content-type': 'application/json', 'content-length': '1048577' } },
      413,
      'too_large',
    ],
  ])('is refused with %s', async (_what, init: PageRequest, status, reason) => {
    const { calls, desk } = notingDesk();
    const { call, pair } = pageScene({ desk });
    const jar = await pair();
    await call('cancel', { sessionId: 'reached' }, jar);

    const answer = await call('cancel', {}, jar, init);

    expect(await refusalOf(answer)).toEqual([status, reason]);
    expect(calls).toHaveLength(1);
  });

  it('is not read before its sender is known', async () => {
    const { fetch } = pageScene();
    const body = new ReadableStream({ pull: () => Promise.reject(new Error('The body was read')) });

    const answer = await fetch('/api/answer', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    });

    expect(await refusalOf(answer)).toEqual([401, 'signed_out']);
  });

  it.each(['answer', 'devices'])('is refused if its device is revoked while it arrives: %s', async (name) => {
    const { calls, desk } = notingDesk();
    const { fetch, pair, devices, audited } = pageScene({ desk });
    const jar = await pair();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent === 1) await devices.devices.revoke(() => true);
        sent += 1;
        if (sent > 2) controller.close();
        else controller.enqueue(Buffer.from(['{', '}'][sent - 1] ?? ''));
      },
    });

    const answer = await fetch(`/api/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(jar) },
      body,
      duplex: 'half',
    });

    expect([await refusalOf(answer), sent]).toEqual([[401, 'signed_out'], 3]);
    expect(calls).toEqual([]);
    expect(audited).toMatchObject([{ what: 'request_refused', reason: 'wrong_device' }]);
  });

  it('never begins if its device is revoked while it waits for its turn', async () => {
    const [isWaiting, hasTurn] = [deferred(), deferred()];
    let late = '';
    const turns = {
      async next(sender: string) {
        if (!sender.includes(late)) return;
        isWaiting.resolve();
        await hasTurn.promise;
      },
    };
    const { calls, desk } = notingDesk();
    const { call, pair, audited } = pageScene({ desk, turns });
    const [lost, mine] = [await pair(), await pair()];
    late = lost.deviceId;
    const answer = call('answer', {}, lost);
    await isWaiting.promise;

    await call('revoke', { deviceId: lost.deviceId }, mine);
    hasTurn.resolve();

    expect(await refusalOf(await answer)).toEqual([401, 'signed_out']);
    expect(calls).toEqual([]);
    expect(audited).toMatchObject([{ what: 'request_refused', reason: 'wrong_device' }]);
  });

  it('of strangers comes within two seconds', async () => {
    const { fetch, clock } = pageScene();
    const body = new ReadableStream<Uint8Array>({ start: (one) => one.enqueue(Buffer.from('{')) });
    const headers = { 'content-type': 'application/json' };
    const init: RequestInit = { method: 'POST', body, headers, duplex: 'half' };

    const answer = fetch('/api/pair', init);
    await clock.pass(2_000);

    expect(await refusalOf(await answer)).toEqual([408, 'too_slow']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('of strangers is short', async () => {
    const { call } = pageScene();

    const answer = await call('pair', { code: 'x'.repeat(10_000), name: 'x' });

    expect(await refusalOf(answer)).toEqual([413, 'too_large']);
  });

  it.each([
    ['pair', { code: 1, name: 'x' }],
    ['pair', { code: 'x' }],
    ['signIn', []],
    ['signIn', null],
  ])('%s is refused if it does not fit: %j', async (name, input) => {
    expect(await refusalOf(await pageScene().call(name, input))).toEqual([400, 'invalid_body']);
  });

  it.each(['unknown', 'constructor', 'stream', 'toString'])(
    'that does not exist is refused: %s',
    async (name) => {
      const { call, pair } = pageScene();

      const answer = await call(name, {}, await pair());

      expect([answer.status === 405 ? 404 : answer.status]).toEqual([404]);
    },
  );

  it('that the desk refuses names the reason', async () => {
    const { call, pair } = pageScene({
      desk: { call: () => Promise.reject(new AppError('session_id_invalid', { text: 'x' })) },
    });

    const answer = await call('cancel', { sessionId: 'x' }, await pair());

    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: { reason: 'session_id_invalid', message: expect.stringMatching(/^In words for people: /) } },
    ]);
  });

  it('that fails says nothing about the server, but its log does', async () => {
    const { call, pair, logged } = pageScene({
      desk: { call: () => Promise.reject(new Error('ENOENT /secret/path')) },
    });

    const answer = await call('cancel', { sessionId: 'x' }, await pair());

    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('secret')]);
    expect(logged).toEqual([expect.stringContaining('ENOENT /secret/path')]);
  });

  it('is refused while the server shuts down', async () => {
    const { call, pair, state } = pageScene();
    const jar = await pair();
    state.isReady = false;

    expect(await refusalOf(await call('me', {}, jar))).toEqual([503, 'shutting_down']);
  });
});

it('long bodies of a principal share a part of the memory while they arrive, and short ones are always read', async () => {
  const { call, pair, audited } = pageScene({ desk: notingDesk().desk });
  const [jar, second] = [await pair('Phone', 'alice'), await pair('Tablet', 'alice')];
  const others = await pair('Laptop', 'owner');
  const statusOf = async (size: number, from = jar): Promise<number> =>
    (await call('interrupt', { sessionId: 'x'.repeat(size) }, from)).status;

  // None of these requests ends in this scene.
  const first = await Promise.all(
    Array.from({ length: 68 }, (_, index) => statusOf(1_040_000, index % 2 === 0 ? jar : second)),
  );
  const tooMany = await call('interrupt', { sessionId: 'x'.repeat(1_040_000) }, jar);
  const short = await statusOf(60_000);
  const other = await statusOf(1_040_000, others);

  expect([new Set(first), await refusalOf(tooMany), short, other]).toEqual([
    new Set([200]),
    [429, 'too_many_requests'],
    200,
    200,
  ]);
  expect(audited).toMatchObject([{ reason: 'too_many_requests', principal: 'alice', login: 'Phone' }]);
});

it('long answers that the devices of a principal have not read share a part of the memory, and short ones arrive', async () => {
  const files = [{ path: '/a', before: undefined, after: 'ä'.repeat(2_000_000) }];
  const desk: Pick<Desk, 'call'> = {
    call: async (name) => Object.assign(Object.create(null), name === 'changes' ? { files } : {}),
  };
  const { call, pair } = pageScene({ desk });
  const [jar, second] = [await pair('Phone', 'alice'), await pair('Tablet', 'alice')];
  const others = await pair('Laptop', 'owner');

  // None of these requests ends in this scene.
  const first: number[] = [];
  for (let count = 0; count < 17; count += 1)
    first.push((await call('changes', { sessionId: 's' }, count % 2 === 0 ? jar : second)).status);
  const tooMuch = await refusalOf(await call('changes', { sessionId: 's' }, jar));
  const short = await call('interrupt', { sessionId: 's' }, jar);
  const other = await call('changes', { sessionId: 's' }, others);

  expect([new Set(first), tooMuch, short.status, other.status]).toEqual([
    new Set([200]),
    [429, 'too_many_requests'],
    200,
    200,
  ]);
});

it('calls of several devices begin in turn, however many each sends', async () => {
  const [fair, allAsked] = [new FairTurns(), deferred()];
  let asked = 0;
  const turns = {
    async next(sender: string) {
      if ((asked += 1) === 21) allAsked.resolve();
      await allAsked.promise;
      await fair.next(sender);
    },
  };
  const { calls, desk } = notingDesk();
  const { call, pair } = pageScene({ desk, turns });
  const [script, person] = [await pair('Script', 'alice'), await pair('Phone', 'owner')];

  const jars = [...Array.from({ length: 20 }, () => script), person];
  await Promise.all(jars.map((jar) => call('interrupt', { sessionId: 's' }, jar)));

  expect(calls).toHaveLength(21);
  expect(calls.findIndex((one) => one.person.device === 'Phone')).toBeLessThan(3);
});

it('Calls of a device count until they are answered, even if their browser has left', async () => {
  const work = deferred();
  const { fetch, pair } = pageScene({ desk: { call: () => work.promise.then(() => Object.create(null)) } });
  const headers = { 'content-type': 'application/json', ...headersOf(await pair()) };
  const init = { method: 'POST', headers, body: '{}' };
  const leave = () => fetch('/api/usage', init, { closed: Promise.resolve() });
  const left = Array.from({ length: 51 }, leave);

  // They need not arrive in this order, and all others wait.
  const tooMany = await Promise.race(left);
  work.resolve();
  await Promise.all(left);

  expect([tooMany.status, (await leave()).status]).toEqual([429, 200]);
});
