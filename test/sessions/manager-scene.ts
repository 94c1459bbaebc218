import { noMeter } from '../../src/core/observability/measurements.js';
import { noPage } from '../../src/core/forms.js';
import { ResumeTokens } from '../../src/sessions/resume-tokens.js';
import { plainPolicy } from '../kit/policy.js';
import { plainCaller } from '../kit/callers.js';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { LogFields, Logger } from '../../src/core/observability/logger.js';
import type { RequestedOptions } from '../../src/core/options/index.js';
import { resolveClaudeHome } from '../../src/history/claude-home.js';
import { Permits } from '../../src/session/services/permits.js';
import { SessionManager, type ManagerServices } from '../../src/sessions/session-manager.js';
import type { Session } from '../../src/session/session.js';
import { Slots } from '../../src/session/services/slots.js';
import { noAudit } from '../kit/audits.js';
import { FakeBackend, type FakeProcess } from '../kit/fake-backend.js';
import { FakeClock } from '../kit/fake-clock.js';
import { openState, type StateOptions } from '../kit/state.js';
import { freeLocks } from '../kit/locks.js';
import { blindRedactor } from '../kit/redactors.js';

export const plainLimits: ManagerServices['limits'] = {
  idleProcessMs: 300_000,
  log: { maxEvents: 1_000, maxBytes: 2 ** 21 },
  allLogsBytes: 2 ** 26,
  longestRunMs: 3_600_000,
  maxModelCalls: undefined,
  interruptOnTimeout: false,
  sessionTtlMs: 1_800_000,
  cleanupIntervalMs: 60_000,
};

/** Each scene is another server, which only its own processes know to be alive. */
let lastPid = 10;

export interface ManagerSceneOptions extends Partial<ManagerServices>, Pick<StateOptions, 'pid' | 'alive'> {
  /** The folder of an earlier scene, to simulate a restart on the same machine. */
  readonly root?: string;
}

export type ManagerScene = Awaited<ReturnType<typeof createManagerScene>>;

/** A session manager on real files, with a fake Claude Code and a fake clock. */
export async function createManagerScene(options: ManagerSceneOptions = {}) {
  const { root = await tempRoot(), pid = (lastPid += 1), alive, ...changes } = options;
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
    conversations: { claudeHome, startTimeOf: async () => undefined, locks: freeLocks },
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
  onTestFinished(async () => {
    await manager.shutdown();
    expect(illegalMoves).toEqual([]);
  });
  return { manager, backend, clock, ids, logger, records, root, project, stateDir, claudeHome, illegalMoves };
}

/** A session that works on its first prompt. */
export async function startIn(
  { manager, backend }: ManagerScene,
  options: RequestedOptions = {},
): Promise<{ session: Session; process: FakeProcess }> {
  const index = backend.processes.length;
  const started = manager.start('do it', options, plainCaller);
  const process = await backend.process(index);
  await process.prompt(0);
  process.init();
  return { session: await started, process };
}

/** Writes the transcript that Claude Code would have written, with the last text of Claude if there is one. */
export async function writeTranscript(
  { claudeHome }: ManagerScene,
  sessionId: string,
  lastText?: string,
): Promise<void> {
  const uuid = '0b8f6a52-3c1d-4f7e-9a60-5d2e8c7b1f04';
  const message = { role: 'assistant', content: [{ type: 'text', text: lastText }] };
  const lines = lastText === undefined ? '' : `${JSON.stringify({ type: 'assistant', uuid, message })}\n`;
  const folder = join(claudeHome.projectsDir, 'project');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${sessionId}.jsonl`), lines);
}

async function tempRoot(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'manager-')));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  return root;
}

/** Ids that differ in their first characters, as real ones do. */
function scatteredIds() {
  let last = 0;
  return {
    uuid: () => `${String((last += 1)).padStart(8, '0')}-0000-4000-8000-000000000000`,
    short: () => `request-${(last += 1)}`,
  };
}
