import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessTable } from '../../src/core/processes.js';
import * as processes from '../../src/platform/processes.js';

/** Longer than the last step of a shutdown may take. */
const LIST_MS = 400;

/** A process table that responds as slowly as on a busy system. */
export const slowProcesses: ProcessTable = {
  ...processes,
  async findByEnvironment(entry) {
    await pause(LIST_MS);
    return processes.findByEnvironment(entry);
  },
};
