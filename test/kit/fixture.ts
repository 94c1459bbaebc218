/** Everything that one end-to-end test needs, with a check that nothing is left afterwards. */
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
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

export async function startScene(options: SceneOptions): Promise<Scene> {
  const { model, sandbox } = await startBackstage();
  const server = await connectServer({ ...options, model, sandbox });
  // Hooks run in reverse order: the server closes before the check for leftover processes.
  onTestFinished(async () => {
    await server.close();
    refuseComplaints(server.stderr());
  }, CLEANUP_LIMIT_MS);
  return { server, model, sandbox };
}

/** In production the server logs these errors and continues. In a test, each of them is a bug. */
function refuseComplaints(stderr: string): void {
  const complaint = stderr
    .split('\n')
    .find((line) => /illegal state move|uncaught exception|unhandled rejection|record could not/.test(line));
  if (complaint !== undefined) throw new Error(`The server complained: ${complaint}`);
}

/** A scripted model and a sandbox without a server, for tests that start Claude Code themselves. */
export async function startBackstage(): Promise<Pick<Scene, 'model' | 'sandbox'>> {
  const model = await startScriptedModel();
  const sandbox = createSandbox();
  onTestFinished(async () => {
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
