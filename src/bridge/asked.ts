import type {
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
} from '@modelcontextprotocol/client';

interface Question<Link> {
  readonly link: Link;
  readonly id: RequestId;
}

/**
 * Requests of the service to the client, such as forms. After a reconnect the service counts their ids from the start,
 * so the client sees other ids, and an old answer cannot reach a new question.
 */
export class Asked<Link> {
  readonly #open = new Map<RequestId, Question<Link>>();
  #count = 0;

  /** The request as the client sees it. */
  ask(link: Link, request: JSONRPCRequest): JSONRPCRequest {
    const id = `service-${(this.#count += 1)}`;
    this.#open.set(id, { link, id: request.id });
    return { ...request, id };
  }

  /** The answer as the service expects it. Undefined if nothing waits for it. */
  answer(response: JSONRPCResponse): { readonly link: Link; readonly response: JSONRPCResponse } | undefined {
    const question = response.id === undefined ? undefined : this.#open.get(response.id);
    if (response.id === undefined || question === undefined) return undefined;
    this.#open.delete(response.id);
    return { link: question.link, response: { ...response, id: question.id } };
  }

  /** The service withdraws a request. Undefined if it is not open. */
  withdraw(link: Link, notification: JSONRPCNotification): JSONRPCNotification | undefined {
    const requestId = notification.params?.['requestId'];
    const found = [...this.#open].find(([, question]) => question.link === link && question.id === requestId);
    if (found === undefined) return undefined;
    this.#open.delete(found[0]);
    return { ...notification, params: { ...notification.params, requestId: found[0] } };
  }

  /** The ids of all requests of a connection that has ended. Nothing waits for their answers. */
  forget(link: Link): RequestId[] {
    const gone = [...this.#open].filter(([, question]) => question.link === link).map(([id]) => id);
    for (const id of gone) this.#open.delete(id);
    return gone;
  }
}
