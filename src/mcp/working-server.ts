import { Server, type JSONRPCRequest, type Result, type ServerContext } from '@modelcontextprotocol/server';
import type { Worker } from '../core/reach.js';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** Knows the requests that it works on. The SDK forgets a request as soon as its client has left. */
export class WorkingServer extends Server implements Worker {
  readonly #work = new Set<Promise<unknown>>();

  async settled(): Promise<void> {
    await Promise.allSettled(this.#work);
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const handle = super._wrapHandler(method, handler);
    return (request, context) => {
      const work = handle(request, context);
      const end = (): void => void this.#work.delete(work);
      this.#work.add(work);
      work.then(end, end);
      return work;
    };
  }
}
