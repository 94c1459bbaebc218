import { defineConfig } from 'vitest/config';

// What `npm run test:e2e` runs; see test/live.
export default defineConfig({
  test: {
    include: ['test/live/**/*.live.ts'],
    // One line for each scenario, so that nobody takes skipped ones for passed ones.
    reporters: ['verbose'],
    testTimeout: 180_000,
    hookTimeout: 30_000,
    maxWorkers: 1,
  },
});
