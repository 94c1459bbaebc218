import { expect, it } from 'vitest';
import type { Identity } from '../../../src/http/auth/identity.js';
import { Leases } from '../../../src/http/auth/leases.js';
import { FakeClock } from '../../kit/fake-clock.js';

const identity = (credential: string, expiresAt?: number): Identity => ({
  principal: 'owner',
  credential,
  scopes: ['call'],
  expiresAt,
});

/** Lets the answers of a check arrive. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function scene() {
  const clock = new FakeClock(0);
  const revoked = new Set<string>();
  const ended: string[] = [];
  const leases = new Leases({
    clock,
    authenticator: {
      async isInForce({ credential }) {
        if (credential === 'unreadable') throw new Error('no answer');
        return !revoked.has(credential);
      },
    },
  });
  const hold = (one: Identity): (() => void) => leases.hold(one, () => ended.push(one.credential));
  return { clock, revoked, ended, leases, hold };
}

it('ends what a revoked credential holds, once, and nothing else', async () => {
  const { clock, revoked, ended, hold } = scene();
  for (const name of ['a', 'b', 'a']) hold(identity(name));

  revoked.add('a');
  await clock.pass(1_000);
  await settled();
  await clock.pass(1_000);
  await settled();

  expect(ended).toEqual(['a', 'a']);
});

it('ends what an expired credential holds', async () => {
  const { clock, ended, hold } = scene();
  hold(identity('short', 2));

  await clock.pass(1_000);
  await settled();
  const before = [...ended];
  await clock.pass(1_000);
  await settled();

  expect({ before, ended }).toEqual({ before: [], ended: ['short'] });
});

it('ends what cannot be checked', async () => {
  const { clock, ended, hold } = scene();
  hold(identity('unreadable'));

  await clock.pass(1_000);
  await settled();

  expect(ended).toEqual(['unreadable']);
});

it('checks nothing once every lease is given up', () => {
  const { clock, hold } = scene();
  const release = hold(identity('a'));
  const held = clock.pendingTimers;

  release();

  expect({ held, left: clock.pendingTimers }).toEqual({ held: 1, left: 0 });
});
