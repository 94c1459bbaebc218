import { defineConfig } from 'vitest/config';

// What `npm run test:clients` runs; see test/clients.
export default defineConfig({
  define: { __VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    include: ['test/clients/**/*.client.ts'],
    globalSetup: 'test/clients/packed-server.ts',
    reporters: ['verbose'],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
