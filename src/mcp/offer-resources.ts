import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller } from '../core/caller.js';
import { AppError } from '../core/errors.js';
import type { Redactor } from '../core/observability/redactor.js';
import type { HandlerDependencies } from '../toolsets/shared/define-tool.js';
import { errorText } from './errors.js';
import { fit } from './render.js';
import { parseSessionUri, sessionResources, sessionsUri } from './resources/session-resources.js';
import type { resourceReader, TextResource } from './resources/text-resource.js';

export interface ResourceSettings {
  readonly resources: readonly TextResource[];
  /** Shared by all connections. */
  readonly read: ReturnType<typeof resourceReader>;
  readonly redactor: Redactor;
  /** The session layer, with the words of the tools that are served. Undefined: no session can be read. */
  readonly loadDependencies: (() => Promise<HandlerDependencies>) | undefined;
  readonly callerOf: (context: ServerContext) => Caller;
  /** Resolves when the answer of this caller may be made. Undefined: at once. */
  readonly nextTurn: ((caller: Caller) => Promise<void>) | undefined;
}

const json = 'application/json';
const anHour = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/**
 * Answers every request about resources. The SDK's own registry has no optional query parameters in templates, and would
 * build each entry for each connection.
 */
export function offerResources(server: Server, settings: ResourceSettings): void {
  const { resources, read, loadDependencies } = settings;
  server.setRequestHandler('resources/list', () => ({
    resources: [
      ...resources.map(({ name, uri, title, description, mimeType = 'text/markdown' }) => ({
        name,
        uri,
        title,
        description,
        mimeType,
      })),
      ...(loadDependencies === undefined ? [] : [sessionsEntry]),
    ],
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates:
      loadDependencies === undefined ? [] : sessionResources.map((one) => ({ ...one, mimeType: json })),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const fixed = resources.find((one) => one.uri === uri);
    if (fixed !== undefined) {
      const { mimeType = 'text/markdown', isFixed } = fixed;
      const text = await read(fixed, context.mcpReq.signal);
      return { contents: [{ uri, mimeType, text }], ...(isFixed ? anHour : {}) };
    }
    return { contents: [{ uri, mimeType: json, text: await readSession(uri, context, settings) }] };
  });
}

const sessionsEntry = {
  name: 'sessions',
  uri: sessionsUri,
  title: 'Sessions',
  description: 'The latest sessions of this server. More: claude-code://sessions?offset=20.',
  mimeType: json,
};

async function readSession(
  uri: string,
  context: ServerContext,
  { loadDependencies, redactor, callerOf, nextTurn }: ResourceSettings,
): Promise<string> {
  const wanted = parseSessionsUri(uri) ?? parseSessionUri(uri);
  if (wanted === undefined || loadDependencies === undefined) throw new ResourceNotFoundError(uri);
  const [deps, pages] = await Promise.all([
    loadDependencies(),
    import('../toolsets/reference/session-pages.js'),
  ]);
  const caller = callerOf(context);
  const reader = { caller, signal: context.mcpReq.signal };
  try {
    const view = await ('sessionId' in wanted
      ? pages.sessionPage(wanted, deps, reader)
      : pages.sessionsPage(wanted.offset, deps, reader));
    await nextTurn?.(caller);
    return JSON.stringify(redactor.redactValue(fit(view)));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'SESSION_NOT_FOUND') throw new ResourceNotFoundError(uri);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, errorText(error, deps.words, redactor));
  }
}

function parseSessionsUri(uri: string): { readonly offset: number } | undefined {
  const [whole, offset = '0'] = /^claude-code:\/\/sessions(?:\?offset=(\d{1,8}))?$/.exec(uri) ?? [];
  return whole === undefined ? undefined : { offset: Number(offset) };
}
