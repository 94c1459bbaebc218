import { asList, ownValue } from '../../core/json.js';
import { maxSubscriptions, maxUriChars } from '../../core/session/subscription-limits.js';

/** Of a principal together. For each change of a session, the SDK compares them one by one. */
const maxTogether = 20_000;

/** The resources to which a request of the 2026 protocol subscribes, for as long as it is open. */
export function subscribedIn(json: unknown): readonly unknown[] {
  if (ownValue(json, 'method') !== 'subscriptions/listen') return [];
  return asList(ownValue(json, 'params', 'notifications', 'resourceSubscriptions'));
}

/** What is wrong with them. Undefined: nothing. */
export function problemOf(uris: readonly unknown[]): string | undefined {
  if (uris.length > maxSubscriptions)
    return `A request subscribes to at most ${maxSubscriptions} resources. Send several requests.`;
  const isLong = uris.some((uri) => typeof uri === 'string' && uri.length > maxUriChars);
  return isLong ? 'The URI is too long for a resource of this server.' : undefined;
}

/** How many resources the open requests of a principal subscribe to. */
export class Subscriptions {
  #left = maxTogether;

  /** Counts them until `ended`. Returns false, and counts none, if there are too many. */
  take(count: number, ended: Promise<void>): boolean {
    if (count > this.#left) return false;
    this.#left -= count;
    void ended.then(() => (this.#left += count));
    return true;
  }
}
