import { expect, it } from 'vitest';
import { ResourceUpdates } from '../../src/mcp/resources/updates.js';
import { FakeClock } from '../kit/fake-clock.js';

const uri = 'claude-code://sessions/one';

function createScene() {
  const clock = new FakeClock();
  const updates = new ResourceUpdates(clock);
  const heard: string[] = [];
  const stop = updates.listen((changed) => heard.push(changed));
  return { clock, updates, heard, stop, count: () => heard.filter((changed) => changed === uri).length };
}

it('a change announces the list, the session and each of its parts', () => {
  const { updates, heard } = createScene();

  updates.sessionChanged('one');

  expect(heard).toEqual([
    'claude-code://sessions',
    uri,
    `${uri}/events`,
    `${uri}/transcript`,
    `${uri}/result`,
  ]);
});

it('a burst is announced at once and once more after half a second', () => {
  const { clock, updates, count } = createScene();

  for (let number = 0; number < 1_000; number += 1) updates.sessionChanged('one');
  const atOnce = count();
  clock.advance(500);
  const later = count();
  clock.advance(5_000);

  expect([atOnce, later, count()]).toEqual([1, 2, 2]);
});

it('nothing is announced to a listener that has left', () => {
  const { updates, heard, stop } = createScene();

  stop();
  updates.sessionChanged('one');

  expect(heard).toEqual([]);
});
