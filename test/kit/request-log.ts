/** Remembers what the model was asked, and lets a test wait for a request. */
import { deferred } from './deferred.js';
import type { ModelRequest } from './model-request.js';

type Matches = (request: ModelRequest) => boolean;

export class RequestLog {
  readonly #requests: ModelRequest[] = [];
  readonly #waiters = new Set<{
    readonly matches: Matches;
    readonly found: (request: ModelRequest) => void;
  }>();

  add(request: ModelRequest): void {
    this.#requests.push(request);
    for (const waiter of this.#waiters) {
      if (!waiter.matches(request)) continue;
      this.#waiters.delete(waiter);
      waiter.found(request);
    }
  }

  of(sessionId?: string): readonly ModelRequest[] {
    return this.#requests.filter((one) => sessionId === undefined || one.sessionId === sessionId);
  }

  /** The first request, past or future, that answers `matches`. */
  async first(matches: Matches): Promise<ModelRequest> {
    const known = this.#requests.find(matches);
    if (known) return known;
    const found = deferred<ModelRequest>();
    this.#waiters.add({ matches, found: found.resolve });
    return found.promise;
  }
}
