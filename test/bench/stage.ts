/** A sandbox, a scripted model and servers for one measurement. Nothing outlives it. */
import { rmSync } from 'node:fs';
import { createSandbox, type Sandbox } from '../kit/sandbox.js';
import { startScriptedModel, type ScriptedModel } from '../kit/scripted-model.js';
import { connectServer, type ServerClient, type ServerOptions } from '../kit/server-client.js';

export interface Stage {
  readonly sandbox: Sandbox;
  readonly model: ScriptedModel;
  readonly connect: (options?: Partial<ServerOptions>) => Promise<ServerClient>;
}

export async function withStage<T>(measure: (stage: Stage) => Promise<T>): Promise<T> {
  const sandbox = createSandbox();
  // Cleans up after an interrupted bench, too.
  const leave = (): void => {
    endAll(sandbox);
    rmSync(sandbox.root, { recursive: true, force: true });
  };
  process.once('exit', leave);
  const model = await startScriptedModel();
  const servers: ServerClient[] = [];
  const connect: Stage['connect'] = async (options = {}) => {
    const server = await connectServer({ era: 'modern', sandbox, model, ...options });
    servers.push(server);
    return server;
  };
  try {
    return await measure({ sandbox, model, connect });
  } finally {
    await Promise.allSettled(servers.map((server) => server.close()));
    endAll(sandbox);
    await model.close();
    await sandbox.remove();
    process.removeListener('exit', leave);
  }
}

function endAll(sandbox: Sandbox): void {
  for (const { pid } of sandbox.processes()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process had already exited.
    }
  }
}
