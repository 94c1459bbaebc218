import {
  ProtocolError,
  ProtocolErrorCode,
  type McpRequestContext,
  type Server,
} from '@modelcontextprotocol/server';
import { maxSubscriptions, maxUriChars } from '../core/session/subscription-limits.js';
import { onClose } from './on-close.js';
import type { ResourceUpdates } from './resources/updates.js';

/**
 * Announces changes on this connection. Over HTTP a connection of the 2026 protocol lives for one request only, so its
 * subscriptions belong to the endpoint.
 */
export function announceUpdates(
  server: Server,
  { era, requestInfo }: McpRequestContext,
  updates: ResourceUpdates,
): void {
  const send = (uri: string): void => void server.sendResourceUpdated({ uri }).catch(() => undefined);
  if (era === 'legacy') return announceSubscribed(server, updates, send);
  // The SDK passes on only what the client listens to.
  if (requestInfo === undefined) onClose(server, updates.listen(send));
}

/** Before 2026, a client subscribes to each URI in a separate request. */
function announceSubscribed(server: Server, updates: ResourceUpdates, send: (uri: string) => void): void {
  const wanted = new Set<string>();
  let stop: (() => void) | undefined;
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (wanted.size >= maxSubscriptions)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `This connection has ${maxSubscriptions} subscriptions. End one with resources/unsubscribe.`,
      );
    if (uri.length > maxUriChars)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'The URI is too long for a resource of this server.',
      );
    wanted.add(uri);
    stop ??= updates.listen((changed) => {
      if (wanted.has(changed)) send(changed);
    });
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    wanted.delete(uri);
    return {};
  });
  onClose(server, () => stop?.());
}
