/** Where the demo plays: a temporary home and project, and either a scripted model or the real one. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, type Sandbox } from '../../test/kit/sandbox.js';
import { startScriptedModel, type ScriptedModel } from '../../test/kit/scripted-model.js';
import { connectServer, type ServerClient } from '../../test/kit/server-client.js';
import { scriptModel, TOPIC, TOPIC_NAME } from './plot.js';

export interface Stage {
  readonly sandbox: Sandbox;
  /** Undefined when the real model answers. */
  readonly model: ScriptedModel | undefined;
  connect(): Promise<ServerClient>;
  /** What the server has complained about. */
  complaints(): string;
  /** Ends the server and removes the folder, whatever state they are in. May be called twice. */
  clear(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What the real model is reached with. The sandbox closes every proxy, so those of the person are put back. */
const LIVE_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
] as const;
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const;

export async function setStage(live: Environment | undefined): Promise<Stage> {
  const sandbox = createSandbox();
  // The last resort: a second Ctrl-C, or an error in the way out.
  process.once('exit', () => rmSync(sandbox.root, { recursive: true, force: true }));
  const model = live === undefined ? await startScriptedModel() : undefined;
  writeFileSync(join(sandbox.project, TOPIC_NAME), TOPIC);
  if (model !== undefined) scriptModel(model, sandbox.project);
  let server: ServerClient | undefined;
  return {
    sandbox,
    model,
    connect: async () =>
      (server = await connectServer({
        sandbox,
        era: 'modern',
        ...(model === undefined ? {} : { model }),
        ...(live === undefined ? {} : { env: liveEnvironment(live) }),
      })),
    complaints: () => server?.stderr().trim() ?? '',
    async clear() {
      await server?.close().catch(() => undefined);
      await model?.close();
      await sandbox.remove();
    },
  };
}

function liveEnvironment(person: Environment): Record<string, string> {
  const given = LIVE_VARIABLES.flatMap((name) => {
    const value = person[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const proxies = PROXY_VARIABLES.map(
    (name) => [name, person[name] ?? person[name.toLowerCase()] ?? ''] as const,
  );
  return { ...Object.fromEntries([...given, ...proxies]), CLAUDE_CODE_MAX_RETRIES: '3' };
}
