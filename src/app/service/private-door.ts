import { randomBytes } from 'node:crypto';
import { systemClock } from '../../core/clock.js';
import type { Logger } from '../../core/observability/logger.js';
import { defaultLimits } from '../../http/limits.js';
import { listen, type Listener } from '../../http/listener.js';
import type { PrivateAddress } from '../../state/service-address.js';

export interface PrivateDoor {
  readonly listener: Listener;
  readonly address: PrivateAddress;
}

/**
 * A port for clients of the same user, which read its address and key from a private file. With the key, they notice
 * when another program has taken the port.
 */
export async function openPrivateDoor(
  { maxConnections }: { readonly maxConnections: number },
  logger: Logger,
): Promise<PrivateDoor> {
  const key = randomBytes(32).toString('base64url');
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    tls: { key },
    isBehindProxy: false,
    limits: { ...defaultLimits, maxConnections },
    clock: systemClock,
    logger,
  });
  return { listener, address: { url: `${listener.origin}/mcp`, key } };
}
