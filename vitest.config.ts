import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { __VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes on a loaded two-core machine: a limit that only a hang can reach.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // No test file leaves anything in its module; a fresh process for each would cost more than the tests.
    isolate: false,
  },
});
