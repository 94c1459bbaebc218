import { expect, it } from 'vitest';
import { sparingLogger } from '../../../src/core/observability/sparing-logger.js';
import { FakeClock } from '../../kit/fake-clock.js';

it('writes a message once a minute, and then how many more there were', () => {
  const clock = new FakeClock(0);
  const written: unknown[] = [];
  const logger = sparingLogger({ log: (...line) => void written.push(line) }, clock);

  for (let count = 0; count < 1_000; count += 1) logger.log('error', 'down', { count });
  logger.log('warn', 'other');
  clock.advance(60_000);
  logger.log('error', 'down', { count: 1_000 });
  clock.advance(60_000);
  logger.log('error', 'down');

  expect(written).toEqual([
    ['error', 'down', { count: 0 }],
    ['warn', 'other', {}],
    ['error', 'down', { count: 1_000, more: 999 }],
    ['error', 'down', {}],
  ]);
});
