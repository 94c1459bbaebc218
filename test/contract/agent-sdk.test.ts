import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { createAgentSdkBackend } from '../../src/backends/agent-sdk/backend.js';
import { depthVariable, ownVariables } from '../../src/config/settings.js';
import type { ProcessTable } from '../../src/core/processes.js';
import * as processes from '../../src/platform/processes.js';
import { childEnvironment } from '../../src/policy/child-environment.js';
import { blindRedactor } from '../kit/redactors.js';
import { describeBackendContract } from './backend.contract.js';
import { describeFrozenProcess, describeKilledProcess } from './scenarios/endings.js';
import { slowProcesses } from './slow-processes.js';
import type { CreateBackend } from './stage.js';

const createOn =
  (table: ProcessTable): CreateBackend =>
  ({ environment, executable }) =>
    createAgentSdkBackend({
      executable,
      environment: childEnvironment(environment, { ownVariables, cwd: '/' }),
      depth: { variable: depthVariable, level: 1 },
      processes: table,
      redactor: blindRedactor,
      ids: { uuid: randomUUID, short: randomUUID },
    });

describeBackendContract('agent-sdk', createOn(processes));

describe('the agent-sdk backend on a system that hides the environment of processes', () => {
  describeFrozenProcess(createOn({ ...processes, findByEnvironment: async () => [] }));
});

describe('the agent-sdk backend on a system that is slow to list its processes', () => {
  describeKilledProcess(createOn(slowProcesses));
});
