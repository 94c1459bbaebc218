import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors.js';
import { Slots, type SlotHolder } from '../../../src/session/services/slots.js';
import { deferred } from '../../kit/deferred.js';

function holder(id: string, details: Partial<SlotHolder> = {}): SlotHolder & { evictions: number } {
  const made = {
    id,
    lastTouchedAt: 0,
    evictions: 0,
    canEvict: () => false,
    evict: async () => void (made.evictions += 1),
    describe: () => 'running',
    ...details,
  };
  return made;
}

describe('reserving', () => {
  it('succeeds while slots are free', async () => {
    const slots = new Slots(2);
    const a = holder('a');

    const slot = slots.reserve(a);
    slots.reserve(holder('b'));

    expect(slot.holder).toBe(a);
    await expect(slot.free).resolves.toBeUndefined();
  });

  it('fails at once if all slots are busy, and names their holders', () => {
    const slots = new Slots(2);
    slots.reserve(holder('a', { describe: () => 'waiting for an answer to Bash' }));
    slots.reserve(holder('b'));

    expect(() => slots.reserve(holder('c'))).toThrow(
      new AppError('processes_busy', {
        limit: 2,
        holders: ['a (waiting for an answer to Bash)', 'b (running)'],
      }),
    );
  });

  it('changes nothing if it fails', () => {
    const slots = new Slots(1);
    const a = holder('a');
    const slot = slots.reserve(a);

    expect(() => slots.reserve(holder('b'))).toThrow(AppError);
    slots.release(slot);

    expect(slots.reserve(holder('c')).holder.id).toBe('c');
    expect(a.evictions).toBe(0);
  });

  it('reuses a released slot', () => {
    const slots = new Slots(1);
    slots.release(slots.reserve(holder('a')));

    expect(() => slots.reserve(holder('b'))).not.toThrow();
  });
});

describe('eviction', () => {
  it('closes the least recently used session that can be evicted', () => {
    const slots = new Slots(3);
    const busy = holder('busy', { lastTouchedAt: 1 });
    const older = holder('older', { lastTouchedAt: 5, canEvict: () => true });
    const newer = holder('newer', { lastTouchedAt: 9, canEvict: () => true });
    for (const one of [busy, newer, older]) slots.reserve(one);

    slots.reserve(holder('d'));

    expect([busy, older, newer].map(({ evictions }) => evictions)).toEqual([0, 1, 0]);
  });

  it('closes nothing while a slot is free', () => {
    const slots = new Slots(2);
    const idle = holder('idle', { canEvict: () => true });
    slots.reserve(idle);

    slots.reserve(holder('b'));

    expect(idle.evictions).toBe(0);
  });

  it('frees the slot only after the evicted process has exited', async () => {
    const gone = deferred();
    const slots = new Slots(1);
    const order: string[] = [];
    slots.reserve(holder('idle', { canEvict: () => true, evict: () => gone.promise }));

    const free = slots.reserve(holder('b')).free.then(() => order.push('free'));
    order.push('gone');
    gone.resolve();
    await free;

    expect(order).toEqual(['gone', 'free']);
  });

  it('does not count an evicted holder, even if it releases its slot late', () => {
    const slots = new Slots(1);
    const old = slots.reserve(holder('idle', { canEvict: () => true }));
    slots.reserve(holder('b'));

    slots.release(old);

    expect(() => slots.reserve(holder('c'))).toThrow('all 1 live processes are busy: b (running)');
  });
});

describe('the slots of a principal', () => {
  it('are limited by the slots of the service, which names no session of others', () => {
    const service = new Slots(2);
    const [alice, bob] = [new Slots(2, service), new Slots(2, service)];
    alice.reserve(holder('a'));
    bob.reserve(holder('b'));

    expect(() => bob.reserve(holder('c'))).toThrow(
      new AppError('processes_busy', { limit: 2, holders: ['b (running)'] }),
    );
  });

  it('are limited by their own number, while the service has more', () => {
    const alice = new Slots(1, new Slots(5));
    alice.reserve(holder('a'));

    expect(() => alice.reserve(holder('b'))).toThrow(
      new AppError('processes_busy', { limit: 1, holders: ['a (running)'] }),
    );
  });

  it('are freed for all when one is released', () => {
    const service = new Slots(1);
    const [alice, bob] = [new Slots(1, service), new Slots(1, service)];

    alice.release(alice.reserve(holder('a')));

    expect(bob.reserve(holder('b')).holder.id).toBe('b');
  });

  it('take the idle process of another principal when the service is full', () => {
    const service = new Slots(2);
    const [alice, bob] = [new Slots(2, service), new Slots(2, service)];
    const idle = holder('a', { canEvict: () => true });
    alice.reserve(idle);
    bob.reserve(holder('b'));

    bob.reserve(holder('c'));

    expect(idle.evictions).toBe(1);
    expect(() => alice.reserve(holder('d'))).toThrow(
      new AppError('processes_busy', { limit: 2, holders: [] }),
    );
  });

  it('take an idle process of their own principal when it has too many', () => {
    const service = new Slots(3);
    const [alice, bob] = [new Slots(1, service), new Slots(1, service)];
    const [hers, his] = [
      holder('a', { canEvict: () => true, lastTouchedAt: 2 }),
      holder('b', { canEvict: () => true, lastTouchedAt: 1 }),
    ];
    alice.reserve(hers);
    bob.reserve(his);

    alice.reserve(holder('c'));

    expect([hers.evictions, his.evictions]).toEqual([1, 0]);
  });
});

describe('a process that waits for a session', () => {
  it('passes its slot on to that session, and gives it up for another', async () => {
    const [own, other] = [new Slots(1), new Slots(1)];
    const [kept, evicted] = [spare('a'), spare('b')];
    own.reserve(kept);
    other.reserve(evicted);
    const before = [own.isInUse, own.hasRoom];

    own.reserve(holder('a'));
    await other.reserve(holder('c')).free;

    expect(before).toEqual([false, false]);
    expect([own.isInUse, own.hasRoom]).toEqual([true, false]);
    expect([kept.evictions, evicted.evictions]).toEqual([0, 1]);
  });
});

function spare(id: string): ReturnType<typeof holder> {
  return holder(id, { isSpare: true, canEvict: () => true });
}
