import { expect, it } from 'vitest';
import { maxPageSizes, pageSizes } from '../kit/page-sizes.js';

it.each(['page', 'view'] as const)('the %s is small enough to open at once on a phone', (name) => {
  const size = pageSizes()[name];

  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(maxPageSizes[name]);
});
