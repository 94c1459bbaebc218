import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { LogFields } from '../../../src/core/logger.js';
import { resolveClaudeHome } from '../../../src/history/claude-home.js';
import { callTool } from '../../../src/mcp/call-tool.js';
import { Permits } from '../../../src/session/permits.js';
import { RecordStore } from '../../../src/session/record-store.js';
import { SessionManager, type ManagerDependencies } from '../../../src/session/session-manager.js';
import { Slots } from '../../../src/session/slots.js';
import { checkRespondsTools } from '../../../src/toolsets/async/check-responds.js';
import { asyncTools } from '../../../src/toolsets/async/index.js';
import { FakeBackend, type FakeProcess } from '../../kit/fake-backend.js';
import { FakeClock } from '../../kit/fake-clock.js';

export type Json = Readonly<Record<string, unknown>>;

/** Ids that differ from the first character on, as real ones do. */
function scatteredIds() {
  let last = 0;
  return {
    uuid: () => `${String((last += 1)).padStart(8, '0')}-0000-4000-8000-000000000000`,
    short: () => `request-${(last += 1)}`,
  };
}

/** The tools on a real session layer, whose Claude Code and clock are fake. */
export async function createToolScene(changes: Partial<ManagerDependencies> = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tools-')));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  await Promise.all([mkdir(home), mkdir(project)]);
  const claudeHome = resolveClaudeHome({ home });
  const clock = new FakeClock();
  const backend = new FakeBackend();
  const ids = scatteredIds();
  const illegalMoves: LogFields[] = [];
  const logger = {
    log(_level: string, message: string, fields: LogFields = {}): void {
      if (message === 'illegal state move') illegalMoves.push(fields);
    },
  };
  const manager = new SessionManager({
    backend,
    clock,
    ids,
    logger,
    slots: new Slots(60),
    permits: new Permits(60),
    idleProcessMs: 300_000,
    records: new RecordStore(join(root, 'state')),
    conversations: { claudeHome, startTimeOf: async () => undefined },
    folders: { claudeHome, defaultCwd: project, bounds: { home, stateDir: join(root, 'state'), listed: [] } },
    policy: { defaultPermissionMode: undefined, permissionTimeoutMs: 300_000 },
    limits: {
      log: { maxEvents: 1_000, maxBytes: 2 ** 21 },
      allLogsBytes: 2 ** 26,
      longestRunMs: 3_600_000,
      sessionTtlMs: 1_800_000,
      cleanupIntervalMs: 60_000,
    },
    ...changes,
  });
  onTestFinished(async () => {
    await manager.shutdown();
    expect(illegalMoves).toEqual([]);
  });
  const call = async (name: string, args: Json = {}, tools = asyncTools): Promise<string> => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const loadDependencies = async () => ({ sessions: manager, maxWaitMs: 45_000 });
    const context = { signal: new AbortController().signal, progress: undefined };
    const answer = await callTool(tool, args, { loadDependencies, logger, ids }, context);
    return answer.content[0]?.text ?? '';
  };
  const callJson = async (name: string, args: Json = {}): Promise<Json> => parse(await call(name, args));
  const callOld = (name: string, args: Json): Promise<string> => call(name, args, checkRespondsTools);
  return { call, callJson, callOld, backend, clock, manager, project, root };
}

export type ToolScene = Awaited<ReturnType<typeof createToolScene>>;

export function parse(text: string): Json {
  if (text.startsWith('Error [')) throw new Error(text);
  return JSON.parse(text) as Json;
}

export interface Started {
  readonly snapshot: Json;
  readonly sessionId: string;
  readonly process: FakeProcess;
}

/** A session that works on its first prompt. */
export async function startVia(
  { callJson, backend }: ToolScene,
  args: Json = {},
  tools: readonly string[] = [],
): Promise<Started> {
  const index = backend.processes.length;
  const started = callJson('claude_code', { prompt: 'do it', ...args });
  const process = await backend.process(index);
  await process.prompt(0);
  process.init(tools);
  const snapshot = await started;
  return { snapshot, sessionId: String(snapshot['sessionId']), process };
}

/** The id of the first request that the session has open. */
export async function openRequest(scene: ToolScene, sessionId: string): Promise<string> {
  const { actions } = await scene.callJson('claude_code_check', { sessionId });
  return String((actions as Json[])[0]?.['requestId']);
}
