import {
  McpServer,
  type McpRequestContext,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { Approver } from '../core/forms.js';
import type { Tool, ToolEffect } from '../toolsets/define-tool.js';
import { callTool, type CallDependencies } from './call-tool.js';
import { CallStates } from './call-state.js';
import { callerOf, clientIdOf } from './request.js';
import { keepApprover } from './standing-approver.js';
import { toWireSchema } from './wire-schema.js';

export interface ServerSettings extends Omit<CallDependencies, 'states'> {
  /** Whether people may be asked through forms of their clients. */
  readonly isElicitationOn: boolean;
  /** Those who can be shown a form at any time; connections come and go. */
  readonly approvers: Set<Approver>;
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly instructions: string;
  /** Called when a client has asked for the tools: the moment to load what is slow. */
  readonly onToolsListed: () => void;
}

const annotations: Readonly<Record<ToolEffect, { readOnlyHint: boolean; destructiveHint?: boolean }>> = {
  read: { readOnlyHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true },
};

const anHour = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** Builds a server per connection, or per request over HTTP: all state lives in the session layer. */
export function createServerFactory(settings: ServerSettings): (context: McpRequestContext) => McpServer {
  const schemas = new Map(settings.tools.map((tool) => [tool, passThrough(tool, settings.onToolsListed)]));
  const states = new CallStates(clientIdOf);
  const { isElicitationOn } = settings;
  return ({ era }) => {
    const server = new McpServer(
      { name: 'claude-code-mcp', title: 'Claude Code', version: settings.version },
      {
        instructions: settings.instructions,
        capabilities: { tools: {} },
        cacheHints: { 'tools/list': anHour, 'server/discover': anHour },
      },
    );
    for (const [tool, inputSchema] of schemas) {
      const { name, title, description, effect } = tool;
      server.registerTool(
        name,
        { title, description, inputSchema, annotations: annotations[effect] },
        (args: unknown, context: ServerContext) =>
          callTool(
            { tool, args, context, caller: callerOf(server, context, isElicitationOn), era },
            { ...settings, states },
          ),
      );
    }
    if (era === 'legacy' && isElicitationOn) keepApprover(server, { ...settings, clientId: 'stdio' });
    return server;
  };
}

/**
 * Shows the client our schema and lets every argument through: the SDK's own check could not answer with our
 * `Error [CODE]`.
 */
function passThrough(tool: Tool, onListed: () => void): StandardSchemaWithJSON {
  let schema: Record<string, unknown> | undefined;
  const input = (): Record<string, unknown> => {
    onListed();
    return (schema ??= toWireSchema(tool.input));
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'claude-code-mcp',
      validate: (value) => ({ value }),
      jsonSchema: { input, output: input },
    },
  };
}
