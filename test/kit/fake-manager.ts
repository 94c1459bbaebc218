import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { noPage } from '../../src/core/forms.js';
import type { LogFields, Logger } from '../../src/core/observability/logger.js';
import { noMeter } from '../../src/core/observability/measurements.js';
import { resolveClaudeHome } from '../../src/history/claude-home.js';
import { Permits } from '../../src/session/services/permits.js';
import { Slots } from '../../src/session/services/slots.js';
import { ResumeTokens } from '../../src/sessions/resume-tokens.js';
import { SessionManager, type ManagerServices } from '../../src/sessions/session-manager.js';
import type { SessionLocks } from '../../src/state/session-locks.js';
import { noAudit } from './audits.js';
import { FakeBackend } from './fake-backend.js';
import { FakeClock } from './fake-clock.js';
import { freeLocks } from './locks.js';
import { plainPolicy } from './policy.js';
import { blindRedactor } from './redactors.js';
import { openState, type StateOptions } from './state.js';

export const plainLimits: ManagerServices['limits'] = {
  idleProcessMs: 300_000,
  log: { maxEvents: 1_000, maxBytes: 2 ** 21 },
  memoryBytes: 2 ** 26,
  longestRunMs: 3_600_000,
  maxModelCalls: undefined,
  maxBudgetUsd: undefined,
  interruptOnTimeout: false,
  sessionTtlMs: 1_800_000,
  cleanupIntervalMs: 60_000,
};

export interface FakeManagerOptions extends Partial<ManagerServices>, Pick<StateOptions, 'pid' | 'alive'> {
  readonly root: string;
  readonly locks?: SessionLocks;
  /** Of another process that has a conversation open. */
  readonly startTimeOf?: (pid: number) => Promise<string | undefined>;
}

/** A session manager on real files in `root`, with a fake Claude Code and a fake clock. */
export async function createFakeManager({
  root,
  pid = 10,
  alive,
  locks = freeLocks,
  startTimeOf = async () => undefined,
  ...changes
}: FakeManagerOptions) {
  const [home, project, stateDir] = [join(root, 'home'), join(root, 'project'), join(root, 'state')];
  await Promise.all([mkdir(home, { recursive: true }), mkdir(project, { recursive: true })]);
  const claudeHome = resolveClaudeHome({ home });
  const clock = new FakeClock();
  const backend = new FakeBackend();
  const ids = scatteredIds();
  const illegalMoves: LogFields[] = [];
  const logger: Logger = {
    log(_level, message, fields = {}) {
      if (message === 'ignored an invalid state transition') illegalMoves.push(fields);
    },
  };
  const state = await openState({ stateDir, clock, logger, pid, alive });
  const { records } = state;
  const manager = new SessionManager({
    ...state,
    observers: [],
    onEvent: () => undefined,
    backend,
    clock,
    ids,
    logger,
    slots: new Slots(60),
    permits: new Permits(60),
    tokens: new ResumeTokens(undefined),
    conversations: { claudeHome, startTimeOf, locks },
    folders: {
      claudeHome,
      defaultCwd: project,
      bounds: { home, stateDir, claudeDir: join(root, 'claude'), listed: [], trusted: [], roots: [] },
    },
    policy: plainPolicy,
    audit: noAudit,
    meter: noMeter,
    redactor: blindRedactor,
    approvers: new Set(),
    page: noPage,
    limits: plainLimits,
    ...changes,
  });
  return { manager, backend, clock, ids, logger, records, root, project, stateDir, claudeHome, illegalMoves };
}

/** Ids that differ in their first characters, as real ones do. */
function scatteredIds() {
  let last = 0;
  return {
    uuid: () => `${String((last += 1)).padStart(8, '0')}-0000-4000-8000-000000000000`,
    short: () => `request-${(last += 1)}`,
  };
}
