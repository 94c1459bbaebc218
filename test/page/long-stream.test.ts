import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import type { SessionId } from '../../src/core/ids.js';
import { StreamReader } from '../../src/page/reader.js';
import { FakeClock } from '../kit/fake-clock.js';

it('a stream that stays open for days keeps no trace of each message', async () => {
  const reader = new StreamReader(new FakeClock(), '11111111-1111-4111-8111-111111111111' as SessionId);
  const { signal } = new AbortController();
  await reader.next(signal);
  await reader.next(signal);

  for (let count = 0; count < 100; count += 1) {
    const due = reader.next(signal);
    reader.noteEvents();
    expect(await due).toEqual({ type: 'events' });
  }

  expect(getEventListeners(signal, 'abort').length).toBeLessThan(10);
});
