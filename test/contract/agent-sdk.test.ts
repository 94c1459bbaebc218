import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe } from 'vitest';
import { createAgentSdkBackend } from '../../src/backends/agent-sdk/backend.js';
import { depthVariable, ownVariables } from '../../src/config/settings.js';
import type { ProcessTable } from '../../src/core/processes.js';
import * as processes from '../../src/platform/processes.js';
import { childEnvironment } from '../../src/policy/child-environment.js';
import { unwatchedLaunches } from '../kit/launches.js';
import { blindRedactor } from '../kit/redactors.js';
import { describeBackendContract } from './backend.contract.js';
import { describeFrozenProcess } from './scenarios/endings.js';
import type { CreateBackend } from './stage.js';

const createOn =
  (table: ProcessTable): CreateBackend =>
  ({ environment, executable }) =>
    createAgentSdkBackend({
      findExecutable: () => executable,
      environment: childEnvironment(environment, { ownVariables, cwd: '/' }),
      launches: unwatchedLaunches(join(environment['HOME'] ?? '', 'launches')),
      depth: { variable: depthVariable, level: 1 },
      processes: table,
      redactor: blindRedactor,
      ids: { uuid: randomUUID, short: randomUUID },
    });

describeBackendContract('agent-sdk', createOn(processes));

// The life cycle of a process is the same for both backends: one of them shows this, the other a slow system.
describe('the agent-sdk backend on a system that hides the environment of processes', () => {
  describeFrozenProcess(createOn({ ...processes, findByEnvironment: async () => [] }));
});
