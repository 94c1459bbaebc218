import type { Server, ServerContext } from '@modelcontextprotocol/server';

type Handler = (request: unknown, context: unknown) => Promise<Record<string, unknown>>;

/** The handler that the server has already. The SDK has no way to ask for it. */
export function ownHandler(server: Server, method: string): Handler {
  const handlers: unknown = Reflect.get(server, '_requestHandlers');
  const found: unknown = handlers instanceof Map ? handlers.get(method) : undefined;
  if (typeof found !== 'function') throw new Error(`The server does not answer ${method}.`);
  return found as Handler;
}

export type Answer = Record<string, unknown>;
type Found = Answer | undefined | Promise<Answer | undefined>;

/** Answers with what `find` returns, otherwise as the server does. */
export function answerFirst(
  server: Server,
  method: 'resources/read' | 'prompts/get',
  find: (params: Record<string, unknown>, context: ServerContext) => Found,
): void {
  const own = ownHandler(server, method);
  const handlers: unknown = Reflect.get(server, '_requestHandlers');
  if (!(handlers instanceof Map)) return;
  handlers.set(method, async (request: { params: Record<string, unknown> }, context: never) => {
    return (await find(request.params, context)) ?? own(request, context);
  });
}

/** Adds entries to a list that the server answers. */
export function addToList(server: Server, method: string, key: string, entries: readonly Answer[]): void {
  const own = ownHandler(server, method);
  const handlers: unknown = Reflect.get(server, '_requestHandlers');
  if (!(handlers instanceof Map)) return;
  handlers.set(method, async (request: unknown, context: unknown) => {
    const answer = await own(request, context);
    const listed = answer[key];
    return { ...answer, [key]: [...(Array.isArray(listed) ? listed : []), ...entries] };
  });
}
