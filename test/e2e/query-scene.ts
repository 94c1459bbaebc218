/** A client that runs queries and writes down what it is told meanwhile. */
import { LOG_LEVEL_META_KEY, type LoggingLevel } from '@modelcontextprotocol/client';
import { startScene, type Scene, type SceneOptions } from '../kit/fixture.js';
import { toReply, type ToolReply } from '../kit/server-client.js';
import { until } from '../kit/until.js';

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

export type QueryScene = Scene & {
  readonly told: readonly Told[];
  readonly query: (prompt: string, call?: QueryCall) => Promise<ToolReply>;
  /** Resolves when a message that fits has been told. */
  readonly heard: (what: string, fits: (told: Told) => boolean) => Promise<Told>;
};

export async function startQueryScene(options: SceneOptions): Promise<QueryScene> {
  const { env, ...rest } = options;
  const scene = await startScene({
    ...rest,
    env: { CLAUDE_CODE_MCP_TOOLSETS: 'async,query', ...env },
  });
  const { client } = scene.server;
  const told: Told[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => {
    told.push(params as unknown as Told);
  });
  return {
    ...scene,
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
