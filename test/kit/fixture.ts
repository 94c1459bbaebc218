/** Everything that one end-to-end test needs, with a check that nothing is left afterwards. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { LiveProcess } from './live-processes.js';
import { createSandbox, type Sandbox } from './sandbox.js';
import { startScriptedModel, type ScriptedModel } from './scripted-model.js';
import { connectServer, type ServerClient, type ServerOptions } from './server-client.js';

export type SceneOptions = Omit<ServerOptions, 'sandbox' | 'model'>;

export type Scene = {
  readonly server: ServerClient;
  readonly model: ScriptedModel;
  readonly sandbox: Sandbox;
};

const CLEANUP_LIMIT_MS = 20_000;
const SETTLE_LIMIT_MS = 1_000;

/** Takes what is to be done at the end; what was given last is done first. */
export type AtEnd = (task: () => Promise<void>, limitMs?: number) => void;

export async function startScene(options: SceneOptions, atEnd: AtEnd = onTestFinished): Promise<Scene> {
  const { model, sandbox } = await startBackstage(atEnd);
  const server = await connectServer({ ...options, model, sandbox });
  // Hooks run in reverse order: the server closes before the check for leftover processes.
  atEnd(async () => {
    await server.close();
    refuseComplaints(server.stderr());
  }, CLEANUP_LIMIT_MS);
  return { server, model, sandbox };
}

/** One scene for all tests of a `describe`: for those that do not disturb each other. */
export function shareScene(options: SceneOptions): () => Scene {
  return shared((atEnd) => startScene(options, atEnd));
}

/** The same for whatever is costly to start. */
export function shared<T>(start: (atEnd: AtEnd) => Promise<T>): () => T {
  let started: { readonly value: T } | undefined;
  const tasks: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    started = { value: await start((task) => void tasks.unshift(task)) };
  });
  afterAll(async () => {
    for (const task of tasks) await task();
  }, CLEANUP_LIMIT_MS);
  return () => {
    if (started === undefined) throw new Error('It is there once the tests run');
    return started.value;
  };
}

/** Ends the server and starts another one on the same home and state. */
export async function restart(scene: Scene, options: SceneOptions): Promise<Scene> {
  await scene.server.close();
  const server = await connectServer({ ...options, model: scene.model, sandbox: scene.sandbox });
  onTestFinished(() => server.close());
  return { ...scene, server };
}

/** In production the server logs these errors and continues. In a test, each of them is a bug. */
export function refuseComplaints(stderr: string): void {
  const complaint = stderr
    .split('\n')
    .find((line) =>
      /ignored an invalid state transition|uncaught exception|unhandled rejection|record could not/.test(
        line,
      ),
    );
  if (complaint !== undefined) throw new Error(`The server complained: ${complaint}`);
}

/** A scripted model and a sandbox without a server, for tests that start Claude Code themselves. */
export async function startBackstage(
  atEnd: AtEnd = onTestFinished,
): Promise<Pick<Scene, 'model' | 'sandbox'>> {
  const model = await startScriptedModel();
  const sandbox = createSandbox();
  atEnd(async () => {
    const left = await endLeftovers(sandbox);
    await model.close();
    await sandbox.remove();
    if (left.length > 0) throw new Error(`Processes were left behind:\n${left.map(describe).join('\n')}`);
  }, CLEANUP_LIMIT_MS);
  return { model, sandbox };
}

// A stopped process may need a moment to exit. One that stays longer is a leftover.
async function endLeftovers(sandbox: Sandbox): Promise<readonly LiveProcess[]> {
  const deadline = Date.now() + SETTLE_LIMIT_MS;
  while (sandbox.processes().length > 0 && Date.now() < deadline) await pause(20);
  const left = sandbox.processes();
  for (const { pid } of left) kill(pid);
  return left;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process had already exited.
  }
}

function describe({ pid, command }: LiveProcess): string {
  return `  ${pid} ${command}`;
}
