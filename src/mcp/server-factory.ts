import {
  McpServer,
  type McpRequestContext,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Approver } from '../core/forms.js';
import type { ToolCensus } from '../core/claude/tool-census.js';
import type { ServedTool, ToolEffect } from '../toolsets/shared/define-tool.js';
import { callTool, type CallDependencies } from './call-tool.js';
import { CallStates } from './call-state.js';
import { callerOf, clientIdOf } from './request.js';
import { offerResources, type TextResource } from './resources.js';
import { keepApprover } from './standing-approver.js';
import { nameToolsWhenKnown } from './tool-names.js';
import { toWireSchema } from './wire-schema.js';

export interface ServerSettings extends Omit<CallDependencies, 'states'> {
  /** Whether people may be asked through forms of their clients. */
  readonly isElicitationOn: boolean;
  /** Those who can be shown a form at any time; connections come and go. */
  readonly approvers: Set<Approver>;
  readonly version: string;
  readonly tools: readonly ServedTool[];
  readonly resources: readonly TextResource[];
  readonly instructions: string;
  /** Whose names are added to the description of claude_code once they are known; undefined = it stays as it is. */
  readonly census: ToolCensus | undefined;
  /** Called when a client has asked for the tools: the moment to load what is slow. */
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

/** The tool whose description names what Claude Code can do. */
const starterName = 'claude_code';

/** Builds a server per connection, or per request over HTTP: all state lives in the session layer. */
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
  return ({ era }) => {
    const server = new McpServer(
      { name: 'claude-code-mcp', title: 'Claude Code', version: settings.version },
      {
        instructions: settings.instructions,
        capabilities: {
          tools: { listChanged: census !== undefined },
          resources: { listChanged: false },
          ...(isLogging ? { logging: {} } : {}),
        },
        cacheHints: {
          // A list that is going to change must be asked for again.
          ...(census === undefined ? { 'tools/list': anHour } : {}),
          'resources/list': anHour,
          'server/discover': anHour,
        },
      },
    );
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
    offerResources(server, resources, redactor);
    if (era === 'legacy' && isElicitationOn) keepApprover(server, { ...settings, clientId: 'stdio' });
    return server;
  };
}

/**
 * Shows the client our schema and lets every value through: the SDK's own check could not answer with our
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
