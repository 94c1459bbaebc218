/** A client that runs queries and writes down what it is told meanwhile. */
import { LOG_LEVEL_META_KEY, type LoggingLevel } from '@modelcontextprotocol/client';
import { startScene, type Scene, type SceneOptions } from './fixture.js';
import { startInProcess, type InProcessOptions, type InProcessScene } from './in-process.js';
import { toReply, type ToolReply } from './server-client.js';
import { until } from './until.js';

export type Told = {
  readonly level: string;
  readonly logger: string | undefined;
  readonly data: {
    readonly type: string;
    readonly sessionId: string;
    readonly message: Readonly<Record<string, unknown>>;
    readonly timestamp: string;
    readonly sequence: number;
  };
};

export type QueryJson = {
  readonly sessionId: string;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly truncation: {
    readonly total: number;
    readonly returned: number;
    readonly shortened: number;
    readonly dropped: number;
    readonly next?: string;
  };
  readonly denied?: readonly string[];
  readonly executionTime: number;
  readonly usage?: Readonly<Record<string, number>>;
  readonly result: {
    readonly success: boolean;
    readonly summary: string;
    readonly error?: string;
    readonly timedOut?: boolean;
  };
};

export type QueryCall = {
  readonly args?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  /** What a request of the 2026 protocol asks for; undefined = nothing. */
  readonly logLevel?: LoggingLevel;
  readonly onprogress?: (line: string) => void;
};

export type QueryScene = Scene & Querying;

export type InProcessQueryScene = InProcessScene & Querying;

type Querying = {
  readonly told: readonly Told[];
  readonly query: (prompt: string, call?: QueryCall) => Promise<ToolReply>;
  /** Resolves when a message that fits has been told. */
  readonly heard: (what: string, fits: (told: Told) => boolean) => Promise<Told>;
};

export async function startQueryScene(options: SceneOptions): Promise<QueryScene> {
  const scene = await startScene(withToolset(options));
  return { ...scene, ...querying(scene, options) };
}

/** The same on the rung without a process. */
export async function startQueryInProcess(options: InProcessOptions): Promise<InProcessQueryScene> {
  const scene = await startInProcess(withToolset(options));
  return { ...scene, ...querying(scene, options) };
}

function withToolset<T extends InProcessOptions>(options: T): T {
  return { ...options, env: { CLAUDE_CODE_MCP_TOOLSETS: 'async,query', ...options.env } };
}

function querying(
  scene: Pick<InProcessScene, 'server' | 'sandbox'>,
  options: Pick<InProcessOptions, 'era'>,
): Querying {
  const { client } = scene.server;
  const told: Told[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => {
    told.push(params as unknown as Told);
  });
  return {
    told,
    query: async (prompt, { args = {}, signal, logLevel = 'info', onprogress } = {}) =>
      toReply(
        await client.callTool(
          {
            name: 'claude_code_query',
            arguments: { prompt, cwd: scene.sandbox.project, ...args },
            ...(options.era === 'modern' && { _meta: { [LOG_LEVEL_META_KEY]: logLevel } }),
          },
          {
            timeout: 60_000,
            ...(signal && { signal }),
            ...(onprogress && { onprogress: ({ message }) => onprogress(message ?? '') }),
          },
        ),
      ),
    heard: (what, fits) => until(what, () => told.find(fits)),
  };
}

export function jsonOf(reply: ToolReply): QueryJson {
  return reply.json as unknown as QueryJson;
}

export function typesOf(messages: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] {
  return messages.map(({ type, subtype }) => (type === 'system' ? `system/${String(subtype)}` : type));
}
