import type {
  McpServer,
  ProtocolEra,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { Caller } from '../core/caller.js';
import type { ToolCensus } from '../core/claude/tool-census.js';
import { isObject, type JsonObject } from '../core/json.js';
import type { ServedTool, ToolEffect } from '../toolsets/shared/define-tool.js';
import { callTool, type CallDependencies } from './call-tool.js';
import { asTask, offerTasks, taskTools, wantsTasks, type TaskSettings } from './tasks.js';
import { nameToolsWhenKnown } from './tool-names.js';
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
  readonly server: McpServer;
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

/** Offers the tools to one connection after another. Their schemas are built once. */
export class ToolsOnOffer {
  readonly #offer: ToolOffer;
  readonly #schemas: ReadonlyMap<ServedTool, ToolSchemas>;
  readonly #byName: ReadonlyMap<string, ServedTool>;
  readonly #loadForms = lazy(
    async () => new (await import('../toolsets/reference/open-forms.js')).OpenForms(),
  );

  constructor(offer: ToolOffer) {
    const { tools, wireSchemas, isStructured } = offer;
    this.#offer = offer;
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.#schemas = new Map(
      tools.map((tool) => [
        tool,
        {
          inputSchema: passThrough(() => wireSchemas?.get(tool.name) ?? toWireSchema(tool.input)),
          ...(isStructured || tool.plainText !== undefined
            ? { outputSchema: passThrough(() => toWireSchema(tool.output())) }
            : {}),
        },
      ]),
    );
  }

  /** Whether calls can become tasks. An answer with an output schema cannot. */
  hasTasks(era: ProtocolEra): boolean {
    return era === 'modern' && !this.#offer.isStructured && taskTools.every((name) => this.#byName.has(name));
  }

  offerTo(connection: OfferedTo): void {
    const { server, era } = connection;
    forgetInheritedNames(server);
    const tasks = this.hasTasks(era) ? this.#tasksOf(connection) : undefined;
    for (const [tool, schemas] of this.#schemas) this.#register(tool, schemas, connection, tasks);
    if (tasks !== undefined) offerTasks(server, tasks);
  }

  #register(
    tool: ServedTool,
    schemas: ToolSchemas,
    { server, era, callerOf }: OfferedTo,
    tasks: TaskSettings | undefined,
  ): void {
    const { name, title, description, effect } = tool;
    const { census } = this.#offer;
    const registered = server.registerTool(
      name,
      {
        title,
        description,
        ...schemas,
        annotations: annotations[effect],
        ...metaOf(tool),
      },
      async (args: unknown, context: ServerContext) => {
        if (effect !== 'read') this.#offer.onAct();
        const answer = await callTool({ tool, args, context, caller: callerOf(context), era }, this.#offer);
        const isTask = tasks !== undefined && name === starterName && wantsTasks(context);
        return isTask ? asTask(answer, context, tasks) : answer;
      },
    );
    if (census !== undefined && name === starterName) nameToolsWhenKnown(registered, census);
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

interface ToolSchemas {
  readonly inputSchema: StandardSchemaWithJSON;
  readonly outputSchema?: StandardSchemaWithJSON;
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
function passThrough(schemaOf: () => JsonObject): StandardSchemaWithJSON {
  let schema: Record<string, unknown> | undefined;
  const json = (): Record<string, unknown> => (schema ??= { ...schemaOf() });
  return {
    '~standard': {
      version: 1,
      vendor: 'claude-code-mcp',
      validate: (value) => ({ value }),
      jsonSchema: { input: json, output: json },
    },
  };
}

function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}
