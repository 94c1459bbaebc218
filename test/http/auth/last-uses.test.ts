import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LastUses } from '../../../src/http/auth/last-uses.js';
import { FakeClock } from '../../kit/fake-clock.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

it('remembers the last use of each token across restarts', async () => {
  const [folder, clock] = [temporaryFolder(), new FakeClock(1_000)];
  const first = new LastUses(join(folder, 'used.json'), clock);
  first.note('a');
  first.note('b');
  await first.flush();
  clock.advance(500);
  const second = new LastUses(join(folder, 'used.json'), clock);
  second.note('b');

  await second.flush();

  expect(await second.read()).toEqual({ a: 1_000, b: 1_500 });
  expect(clock.pendingTimers).toBe(0);
});

it('starts over when its file is damaged', async () => {
  const [folder, clock] = [temporaryFolder(), new FakeClock(1_000)];
  writeFileSync(join(folder, 'used.json'), '{"a":');
  const uses = new LastUses(join(folder, 'used.json'), clock);
  uses.note('b');

  await uses.flush();

  expect(await uses.read()).toEqual({ b: 1_000 });
});
