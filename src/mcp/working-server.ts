import {
  Server,
  type JSONRPCRequest,
  type RequestId,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Worker } from '../core/unfinished-work.js';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** Knows the requests that it works on. The SDK forgets a request as soon as its client has left or cancelled it. */
export class WorkingServer extends Server implements Worker {
  /** Their ids. A client may use one again while the cancelled request still runs. */
  readonly #work = new Map<Promise<unknown>, RequestId>();

  async settled(ids?: readonly RequestId[]): Promise<void> {
    const work = [...this.#work].filter(([, id]) => ids === undefined || ids.includes(id));
    await Promise.allSettled(work.map(([one]) => one));
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const handle = super._wrapHandler(method, handler);
    return (request, context) => {
      const work = handle(request, context);
      const end = (): void => void this.#work.delete(work);
      this.#work.set(work, context.mcpReq.id);
      work.then(end, end);
      return work;
    };
  }
}
