import { describe, expect, it } from 'vitest';
import { RunningLimit } from '../../../src/http/auth/running-limit.js';
import { deferred } from '../../kit/deferred.js';

const script = (name: string) => ({ principal: 'alice', credential: name, mayApprove: false });
const person = (name: string) => ({ principal: 'alice', credential: name, mayApprove: true });

/** How many of 20 requests begin. */
function begunBy(limit: RunningLimit, sender: ReturnType<typeof person>, ended = deferred().promise): number {
  return Array.from({ length: 20 }, () => limit.begin(sender, ended)).filter(Boolean).length;
}

describe('the running requests of a service with 20 connections', () => {
  it('are at most a quarter of them for one credential, and half for a principal', () => {
    const limit = new RunningLimit(20);

    const begun = ['a', 'b', 'c'].map((name) => begunBy(limit, person(name)));

    expect(begun).toEqual([5, 5, 0]);
    expect(begunBy(limit, { ...person('a'), principal: 'bob' })).toBe(5);
  });

  it('leave room for those who may approve, however many credentials may not', () => {
    const limit = new RunningLimit(20);

    const begun = ['a', 'b', 'c'].map((name) => begunBy(limit, script(name)));

    expect(begun).toEqual([5, 3, 0]);
    expect(begunBy(limit, person('me'))).toBe(2);
  });

  it('of two principals leave room for every other one, and for their own people', () => {
    const limit = new RunningLimit(20);
    const of = (principal: string) =>
      ['a', 'b'].map((name) => begunBy(limit, { ...script(name), principal }));

    expect([of('alice'), of('bob'), of('owner')]).toEqual([
      [5, 3],
      [5, 2],
      [2, 0],
    ]);
    expect(begunBy(limit, person('me'))).toBe(2);
  });

  it('count until they end', async () => {
    const limit = new RunningLimit(20);
    const { promise, resolve } = deferred();
    const before = begunBy(limit, script('a'), promise);

    resolve();
    await promise;

    expect([before, begunBy(limit, script('a'))]).toEqual([5, 5]);
  });
});
