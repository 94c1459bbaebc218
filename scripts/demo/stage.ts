/** The environment of the demo: a temporary home and project, and a scripted or the real model. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, type Sandbox } from '../../test/kit/sandbox.js';
import { startScriptedModel, type ScriptedModel } from '../../test/kit/scripted-model.js';
import { connectServer, type ServerClient } from '../../test/kit/server-client.js';
import { scriptModel, TOPIC, TOPIC_NAME } from './plot.js';

export interface Stage {
  readonly sandbox: Sandbox;
  /** Undefined if the demo uses the real model. */
  readonly model: ScriptedModel | undefined;
  connect(): Promise<ServerClient>;
  /** The stderr output of the server. */
  complaints(): string;
  /** Ends the server and removes the folder, in any state. Safe to call twice. */
  clear(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Needed to reach the real model. The sandbox blocks every proxy, so the user's own proxies are restored. */
const LIVE_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
] as const;
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const;

export async function setStage(live: Environment | undefined): Promise<Stage> {
  const sandbox = createSandbox();
  // For a second Ctrl-C, or an error during cleanup.
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
