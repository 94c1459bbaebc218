import { expect, it } from 'vitest';
import { IdleWatch } from '../../src/http/idle-watch.js';
import { deferred } from '../kit/deferred.js';
import { FakeClock } from '../kit/fake-clock.js';
import { origin } from '../kit/http.js';

const minute = 60_000;

/** A service that exits after ten idle minutes. */
function startWatch() {
  const clock = new FakeClock();
  const state = { isBusy: false, isIdle: false };
  const watch = new IdleWatch({
    clock,
    idleMs: 10 * minute,
    isBusy: () => state.isBusy,
    onIdle: () => (state.isIdle = true),
  });
  const routes = watch.watch(async (incoming, { admitted }) => {
    if (incoming.headers.has('authorization')) admitted?.();
    return new Response();
  });
  const request = async (
    path: string,
    headers: Record<string, string> = { authorization: 'Bearer x' },
  ): Promise<() => Promise<void>> => {
    const closed = deferred();
    const exchange = { closed: closed.promise, peer: '127.0.0.1', admitted: () => undefined };
    await routes(new Request(`${origin}${path}`, { headers }), exchange);
    return async () => {
      closed.resolve();
      await closed.promise;
    };
  };
  return { clock, state, request, watch };
}

it('a service without clients is idle after its time', () => {
  const { clock, state } = startWatch();

  clock.advance(10 * minute - 1);
  const before = state.isIdle;
  clock.advance(1);

  expect([before, state.isIdle]).toEqual([false, true]);
});

it('a request that is open keeps the service, and its end begins the time again', async () => {
  const { clock, state, request } = startWatch();
  const end = await request('/mcp');
  clock.advance(60 * minute);
  await end();

  clock.advance(10 * minute - 1);
  const before = state.isIdle;
  clock.advance(1);

  expect([before, state.isIdle]).toEqual([false, true]);
});

it('a running session keeps the service', () => {
  const { clock, state } = startWatch();
  state.isBusy = true;
  clock.advance(60 * minute);
  const during = state.isIdle;
  state.isBusy = false;

  clock.advance(20 * minute);

  expect([during, state.isIdle]).toEqual([false, true]);
});

it('a health check does not keep the service', async () => {
  const { clock, state, request } = startWatch();
  await request('/healthz');

  clock.advance(10 * minute);

  expect(state.isIdle).toBe(true);
});

it('a request that is refused does not keep the service', async () => {
  const { clock, state, request } = startWatch();
  await request('/mcp', {});

  clock.advance(10 * minute);

  expect(state.isIdle).toBe(true);
});

it('a service that shuts down leaves no timer', () => {
  const { clock, watch } = startWatch();

  watch.close();

  expect(clock.pendingTimers).toBe(0);
});
