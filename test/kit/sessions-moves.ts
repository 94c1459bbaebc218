import type { ClientCapabilities } from '@modelcontextprotocol/client';
import { startScene, type Scene, type SceneOptions } from './fixture.js';
import { startInProcess, type InProcessScene } from './in-process.js';
import type { Era, ToolReply } from './server-client.js';
import { until } from './until.js';

export const backends = ['agent-sdk', 'cli'] as const;

/** What the six tools answer, as far as tests read it. */
export interface StatusJson {
  readonly sessionId: string;
  readonly status: string;
  readonly error?: string;
  readonly result?: string;
  readonly readMore?: string;
  readonly recentOutput: readonly string[];
  readonly pendingInputs: readonly PendingJson[];
  readonly toolUseEvents: readonly { readonly toolName: string; readonly status: string }[];
  readonly costUsd?: number;
  readonly turnCount?: number;
  readonly cursor?: number;
}

export interface PendingJson {
  readonly inputId: string;
  readonly type: string;
  readonly toolName: string;
  readonly toolInput: Readonly<Record<string, unknown>>;
  readonly description: string;
}

interface Stage {
  readonly era: Era;
  readonly backend?: (typeof backends)[number];
  readonly capabilities?: ClientCapabilities;
  readonly env?: SceneOptions['env'];
}

/** A server that serves the six tools and no others. */
export function startSessions({
  era,
  backend = 'agent-sdk',
  capabilities = {},
  env = {},
}: Stage): Promise<Scene> {
  return startScene({
    era,
    capabilities,
    env: { CLAUDE_CODE_MCP_TOOLSETS: 'sessions', CLAUDE_CODE_MCP_BACKEND: backend, ...env },
  });
}

/** The same on the rung without a process, where there is one backend. */
export function startSessionsInProcess({
  era,
  capabilities = {},
  env = {},
}: Omit<Stage, 'backend'>): Promise<InProcessScene> {
  return startInProcess({ era, capabilities, env: { CLAUDE_CODE_MCP_TOOLSETS: 'sessions', ...env } });
}

export function read(reply: ToolReply): StatusJson {
  return reply.json as unknown as StatusJson;
}

export async function create(
  { server, sandbox }: Pick<InProcessScene, 'server' | 'sandbox'>,
  prompt: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<StatusJson> {
  return read(
    await server.call('claude_create_session', { prompt, workingDirectory: sandbox.project, ...args }),
  );
}

export async function statusOf(
  { server }: Pick<InProcessScene, 'server'>,
  sessionId: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<StatusJson> {
  return read(await server.call('claude_get_status', { sessionId, ...args }));
}

/** Looks again and again, as a caller of these tools does. */
export function untilStatus(
  scene: Pick<InProcessScene, 'server'>,
  sessionId: string,
  status: string,
): Promise<StatusJson> {
  return until(`the session is ${status}`, async () => {
    const now = await statusOf(scene, sessionId);
    return now.status === status && now;
  });
}

/** The first thing that the session asks for. */
export async function pending(
  scene: Pick<InProcessScene, 'server'>,
  sessionId: string,
): Promise<PendingJson> {
  const { pendingInputs } = await untilStatus(scene, sessionId, 'waiting_for_input');
  const [input] = pendingInputs;
  if (input === undefined) throw new Error('It waits, but asks for nothing');
  return input;
}
