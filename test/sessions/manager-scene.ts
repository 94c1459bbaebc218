import { plainCaller } from '../kit/callers.js';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { RequestedOptions } from '../../src/core/options/index.js';
import type { Session } from '../../src/session/session.js';
import type { FakeProcess } from '../kit/fake-backend.js';
import { createFakeManager, type FakeManagerOptions } from '../kit/fake-manager.js';

/** Each scene is another server, which only its own processes know to be alive. */
let lastPid = 10;

export interface ManagerSceneOptions extends Partial<FakeManagerOptions> {
  /** The folder of an earlier scene, to simulate a restart on the same machine. */
  readonly root?: string;
}

export type ManagerScene = Awaited<ReturnType<typeof createManagerScene>>;

/** The same as createFakeManager, in a folder that is removed after the test. */
export async function createManagerScene(options: ManagerSceneOptions = {}) {
  const { root = await tempRoot(), pid = (lastPid += 1), ...changes } = options;
  const scene = await createFakeManager({ root, pid, ...changes });
  onTestFinished(async () => {
    await scene.manager.shutdown();
    expect(scene.illegalMoves).toEqual([]);
  });
  return scene;
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
  const lines = lastText === undefined ? '{}\n' : `${JSON.stringify({ type: 'assistant', uuid, message })}\n`;
  const folder = join(claudeHome.projectsDir, 'project');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${sessionId}.jsonl`), lines);
}

/** Registers another Claude Code that has the session open, if it is alive. */
export async function writeOwner({ claudeHome }: ManagerScene, sessionId: string): Promise<void> {
  const { sessionsDir } = claudeHome;
  await mkdir(sessionsDir, { recursive: true });
  await writeFile(join(sessionsDir, '777.json'), JSON.stringify({ pid: 777, sessionId }));
}

async function tempRoot(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'manager-')));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  return root;
}
