import type {
  CallToolResult,
  InputRequiredResult,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { addToList, ownHandler } from './own-handlers.js';

type Outcome = CallToolResult | InputRequiredResult;

interface FixtureTool {
  readonly listed: Record<string, unknown>;
  readonly call: (args: unknown, context: ServerContext) => Outcome | Promise<Outcome>;
}

/** The tools of the conformance suite. They come before those of the server. */
export class FixtureTools {
  readonly #tools = new Map<string, FixtureTool>();

  registerTool<T>(
    name: string,
    { description, inputSchema }: { description: string; inputSchema: StandardSchemaWithJSON<unknown, T> },
    call: (args: T, context: ServerContext) => Outcome | Promise<Outcome>,
  ): void {
    const schema = inputSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    this.#tools.set(name, {
      listed: { name, description, inputSchema: schema },
      call: (args, context) => call(args as T, context),
    });
  }

  addTo(server: Server): void {
    addToList(
      server,
      'tools/list',
      'tools',
      [...this.#tools.values()].map(({ listed }) => listed),
    );
    const own = ownHandler(server, 'tools/call');
    server.setRequestHandler('tools/call', async (request, context) => {
      const { name, arguments: args = {} } = request.params;
      const tool = this.#tools.get(name);
      return tool === undefined ? ((await own(request, context)) as never) : tool.call(args, context);
    });
  }
}
