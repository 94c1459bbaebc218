import {
  McpServer,
  type McpRequestContext,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { isObject } from '../core/json.js';
import type { Approver } from '../core/forms.js';
import type { ToolCensus } from '../core/claude/tool-census.js';
import type { ServedTool, ToolEffect } from '../toolsets/shared/define-tool.js';
import { callTool, type CallDependencies } from './call-tool.js';
import { CallStates } from './call-state.js';
import { callerOf, clientIdOf, loginOf, mayAnswer, onlyClient } from './request.js';
import { offerCompletions } from './completions.js';
import { offerPrompts } from './prompts/offer.js';
import { offerResources } from './offer-resources.js';
import { announceUpdates } from './announce-updates.js';
import type { TextResource } from './resources/text-resource.js';
import type { ResourceUpdates } from './resources/updates.js';
import { keepApprover } from './standing-approver.js';
import { nameToolsWhenKnown } from './tool-names.js';
import { toWireSchema } from './wire-schema.js';

export interface ServerSettings extends Omit<CallDependencies, 'states'> {
  /** Whether the server may ask people through forms of their clients. */
  readonly isElicitationOn: boolean;
  /** Connections that can show a form at any time. The set changes as clients connect and disconnect. */
  readonly approvers: Set<Approver>;
  readonly version: string;
  readonly tools: readonly ServedTool[];
  readonly resources: readonly TextResource[];
  readonly instructions: string;
  /** Changes of sessions, for clients that subscribe to them. */
  readonly updates: ResourceUpdates;
  /** Source of the tool names in the description of claude_code. Undefined: the description never changes. */
  readonly census: ToolCensus | undefined;
  /** Called when a client lists the tools: a good moment to preload slow modules. */
  readonly onToolsListed: () => void;
}

const annotations: Readonly<Record<ToolEffect, { readOnlyHint?: true; destructiveHint?: boolean }>> = {
  read: { readOnlyHint: true },
  write: { destructiveHint: false },
  destructive: { destructiveHint: true },
};

/** Claude Code otherwise loads MCP tools only after a search, and shows the model nothing but their names. */
const alwaysLoaded = { _meta: { 'anthropic/alwaysLoad': true } } as const;

const anHour = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** The tool whose description lists the tools of Claude Code. */
const starterName = 'claude_code';

/** Builds one server per connection, or per request over HTTP. All state lives in the session layer. */
export function createServerFactory(settings: ServerSettings): (context: McpRequestContext) => McpServer {
  const { isElicitationOn, isStructured, census, redactor, resources } = settings;
  const schemas = new Map(
    settings.tools.map((tool) => [
      tool,
      {
        inputSchema: passThrough(() => tool.input, settings.onToolsListed),
        ...(isStructured ? { outputSchema: passThrough(tool.output) } : {}),
      },
    ]),
  );
  const isLogging = settings.tools.some((tool) => tool.isLogging === true);
  const states = new CallStates(clientIdOf);
  const words = settings.tools.find(({ vocabulary }) => vocabulary.check !== undefined)?.vocabulary;
  const loadReading = words && (async () => ({ ...(await settings.loadDependencies()), words }));
  return (request) => {
    const { era, authInfo } = request;
    const server = new McpServer(
      { name: 'claude-code-mcp', title: 'Claude Code', version: settings.version },
      {
        instructions: settings.instructions,
        capabilities: {
          tools: { listChanged: census !== undefined },
          resources: { listChanged: false, subscribe: true },
          ...(words === undefined ? {} : { prompts: { listChanged: false }, completions: {} }),
          ...(isLogging ? { logging: {} } : {}),
        },
        cacheHints: {
          // A cached list would hide the change.
          ...(census === undefined ? { 'tools/list': anHour } : {}),
          'resources/list': anHour,
          'resources/templates/list': anHour,
          'prompts/list': anHour,
          'server/discover': anHour,
        },
      },
    );
    forgetInheritedNames(server);
    for (const [tool, toolSchemas] of schemas) {
      const { name, title, description, effect, isAlwaysLoaded = false } = tool;
      const registered = server.registerTool(
        name,
        {
          title,
          description,
          ...toolSchemas,
          annotations: annotations[effect],
          ...(isAlwaysLoaded ? alwaysLoaded : {}),
        },
        (args: unknown, context: ServerContext) =>
          callTool(
            { tool, args, context, caller: callerOf(server, context, { era, isElicitationOn }), era },
            { ...settings, states },
          ),
      );
      if (census !== undefined && name === starterName) nameToolsWhenKnown(registered, census);
    }
    offerResources(server, {
      resources,
      redactor,
      loadDependencies: loadReading,
      callerOf: (context) => callerOf(server, context, { era, isElicitationOn }),
    });
    announceUpdates(server, request, settings.updates);
    if (words?.start !== undefined) {
      offerPrompts(server, { ...words, start: words.start });
      offerCompletions(server, settings.loadDependencies);
    }
    if (era === 'legacy' && isElicitationOn && mayAnswer(authInfo))
      keepApprover(server, {
        ...settings,
        clientId: authInfo?.clientId ?? onlyClient,
        login: loginOf(authInfo),
      });
    return server;
  };
}

/** The SDK keeps its tools in a plain object, where `constructor` would pass for a tool that is disabled. */
function forgetInheritedNames(server: McpServer): void {
  const tools: unknown = Reflect.get(server, '_registeredTools');
  if (isObject(tools)) Object.setPrototypeOf(tools, null);
}

/**
 * Shows the client our schema but accepts every value: a validation error of the SDK would not have the form
 * `Error [CODE]`.
 */
function passThrough(
  schemaOf: () => z.ZodObject,
  onListed: () => void = () => undefined,
): StandardSchemaWithJSON {
  let schema: Record<string, unknown> | undefined;
  const json = (): Record<string, unknown> => {
    onListed();
    return (schema ??= toWireSchema(schemaOf()));
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'claude-code-mcp',
      validate: (value) => ({ value }),
      jsonSchema: { input: json, output: json },
    },
  };
}
