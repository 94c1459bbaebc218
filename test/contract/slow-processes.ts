import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessTable } from '../../src/core/processes.js';
import * as processes from '../../src/platform/processes.js';

/** Longer than the last step of an end may take by itself. */
const LIST_MS = 400;

/** The processes of a system so busy that it takes its time to list them. */
export const slowProcesses: ProcessTable = {
  ...processes,
  async findByEnvironment(entry) {
    await pause(LIST_MS);
    return processes.findByEnvironment(entry);
  },
};
