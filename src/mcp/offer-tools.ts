import {
  ProtocolError,
  ProtocolErrorCode,
  type ProtocolEra,
  type Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import type { Caller } from '../core/caller.js';
import type { ToolCensus } from '../core/claude/tool-census.js';
import type { JsonObject } from '../core/json.js';
import type { ServedTool, ToolEffect } from '../toolsets/shared/define-tool.js';
import { callTool, type CallDependencies } from './call-tool.js';
import { onClose } from './on-close.js';
import { asTask, offerTasks, taskTools, wantsTasks, type TaskSettings } from './tasks.js';
import { toWireSchema } from './wire-schema.js';

export interface ToolOffer extends CallDependencies {
  readonly tools: readonly ServedTool[];
  /** Schemas that the build has stored, by tool. Others are derived on demand. */
  readonly wireSchemas?: ReadonlyMap<string, JsonObject>;
  readonly census: ToolCensus | undefined;
  /** Called before a tool that may start or change a session. */
  readonly onAct: () => void;
}

/** The connection on which tools are offered. */
export interface OfferedTo {
  readonly server: Server;
  readonly era: ProtocolEra;
  readonly callerOf: (context: ServerContext) => Caller;
}

const annotations: Readonly<Record<ToolEffect, { readOnlyHint?: true; destructiveHint?: boolean }>> = {
  read: { readOnlyHint: true },
  write: { destructiveHint: false },
  destructive: { destructiveHint: true },
};

/** What clients know about a tool besides the protocol. */
function metaOf({ isAlwaysLoaded = false, shownIn }: ServedTool): { _meta?: Record<string, unknown> } {
  const meta = {
    // Claude Code otherwise loads MCP tools only after a search, and shows the model nothing but their names.
    ...(isAlwaysLoaded ? { 'anthropic/alwaysLoad': true } : {}),
    ...(shownIn === undefined ? {} : { ui: { resourceUri: shownIn } }),
  };
  return Object.keys(meta).length === 0 ? {} : { _meta: meta };
}

/** The tool whose description lists the tools of Claude Code. */
const starterName = 'claude_code';

/**
 * Offers the tools to one connection after another. The SDK's own registry would build all of them anew for each
 * connection, and so for each request over HTTP. Its accessors also keep everything that belongs to a request in memory
 * until the next full garbage collection.
 */
export class ToolsOnOffer {
  readonly #offer: ToolOffer;
  readonly #byName: ReadonlyMap<string, ServedTool>;
  /** As clients see them. Built with the first list. */
  #listed: readonly Tool[] | undefined;
  readonly #loadForms = lazy(
    async () => new (await import('../toolsets/reference/open-forms.js')).OpenForms(),
  );

  constructor(offer: ToolOffer) {
    this.#offer = offer;
    this.#byName = new Map(offer.tools.map((tool) => [tool.name, tool]));
  }

  /** Whether calls can become tasks. An answer with an output schema cannot. */
  hasTasks(era: ProtocolEra): boolean {
    return era === 'modern' && !this.#offer.isStructured && taskTools.every((name) => this.#byName.has(name));
  }

  offerTo(connection: OfferedTo): void {
    const { server, era, callerOf } = connection;
    const tasks = this.hasTasks(era) ? this.#tasksOf(connection) : undefined;
    server.setRequestHandler('tools/list', () => ({ tools: this.#list() }));
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }, context) => {
      const tool = this.#byName.get(name);
      if (tool === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} not found`);
      if (tool.effect !== 'read') this.#offer.onAct();
      const answer = await callTool({ tool, args, context, caller: callerOf(context), era }, this.#offer);
      const isTask = tasks !== undefined && name === starterName && wantsTasks(context);
      return isTask ? asTask(answer, context, tasks) : answer;
    });
    if (tasks !== undefined) offerTasks(server, tasks);
    this.#announceNames(server);
  }

  #list(): Tool[] {
    this.#listed ??= this.#offer.tools.map((tool) => toListed(tool, this.#offer));
    const names = this.#offer.census?.all;
    if (names === undefined) return [...this.#listed];
    return this.#listed.map((tool) =>
      tool.name === starterName
        ? { ...tool, description: `${tool.description} Its tools: ${names.join(', ')}.` }
        : tool,
    );
  }

  /** Connected clients get one notification as soon as a session has reported the tools of Claude Code. */
  #announceNames(server: Server): void {
    const { census } = this.#offer;
    if (census === undefined || census.all !== undefined || !this.#byName.has(starterName)) return;
    const leave = census.whenKnown(() => void server.sendToolListChanged().catch(() => undefined));
    // A service may have many connections before a session reports the tools.
    onClose(server, leave);
  }

  #tasksOf({ era, callerOf }: OfferedTo): TaskSettings {
    return {
      call: async (name, args, context) => {
        const tool = this.#byName.get(name);
        if (tool === undefined) throw new Error(`${name} is not served`);
        return callTool({ tool, args, context, caller: callerOf(context), era }, this.#offer);
      },
      callerOf,
      loadDependencies: this.#offer.loadDependencies,
      loadForms: this.#loadForms,
    };
  }
}

/** The keys in the order in which clients show them. */
function toListed(tool: ServedTool, { wireSchemas, isStructured }: ToolOffer): Tool {
  const { name, title, description, effect } = tool;
  const isDescribed = isStructured || tool.plainText !== undefined;
  return {
    name,
    title,
    description,
    inputSchema: asSchema(wireSchemas?.get(name) ?? toWireSchema(tool.input)),
    annotations: annotations[effect],
    ...metaOf(tool),
    ...(isDescribed ? { outputSchema: asSchema(toWireSchema(tool.output())) } : {}),
  };
}

/** Clients drop a tool whose schema is not that of an object. */
function asSchema(schema: JsonObject): Tool['inputSchema'] {
  return { ...schema, type: 'object' };
}

function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}
