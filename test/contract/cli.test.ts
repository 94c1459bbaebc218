import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe } from 'vitest';
import { createCliBackend } from '../../src/backends/cli/backend.js';
import { findBundledClaude } from '../../src/backends/agent-sdk/find-bundled-claude.js';
import { depthVariable, ownVariables } from '../../src/config/settings.js';
import type { ProcessTable } from '../../src/core/processes.js';
import * as processes from '../../src/platform/processes.js';
import { childEnvironment } from '../../src/policy/child-environment.js';
import { unwatchedLaunches } from '../kit/launches.js';
import { blindRedactor } from '../kit/redactors.js';
import { describeBackendContract } from './backend.contract.js';
import { describeKilledProcess } from './scenarios/endings.js';
import { slowProcesses } from './slow-processes.js';
import type { CreateBackend } from './stage.js';

const createOn =
  (table: ProcessTable): CreateBackend =>
  ({ environment, executable = findBundledClaude() }) =>
    createCliBackend({
      findExecutable: () => executable,
      environment: childEnvironment(environment, { ownVariables, cwd: '/' }),
      depth: { variable: depthVariable, level: 1 },
      launches: unwatchedLaunches(join(environment['HOME'] ?? '', 'launches')),
      processes: table,
      redactor: blindRedactor,
      ids: { uuid: randomUUID, short: randomUUID },
    });

describeBackendContract('cli', createOn(processes));

describe('the cli backend on a system that is slow to list its processes', () => {
  describeKilledProcess(createOn(slowProcesses));
});
