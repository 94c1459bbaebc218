#!/usr/bin/env node
import { watch } from '../backends/launches/watchdog.js';
import * as processes from '../platform/processes.js';

/** Longer than any ending takes. */
const limitMs = 10_000;

// Ignores signals to the process group: it must outlive the server.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

process.stdin.once('end', () => setTimeout(() => process.exit(1), limitMs));
await watch(process.stdin, processes).then(
  () => process.exit(0),
  () => process.exit(1),
);
