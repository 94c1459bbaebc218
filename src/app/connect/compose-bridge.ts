import { Bridge } from '../../bridge/bridge.js';
import type { Target } from '../../bridge/link.js';
import { systemClock } from '../../core/clock.js';
import type { Logger } from '../../core/observability/logger.js';
import { StdioWire } from '../../transports/stdio-wire.js';

/** A service that restarts is back after a few seconds. */
const pausesMs = [100, 200, 400, 800, 1_600, 3_200];

export interface OpenBridge {
  /** Resolves when the client has left. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Connects stdin and stdout with a service. */
export async function openBridge(target: () => Promise<Target>, logger: Logger): Promise<OpenBridge> {
  const client = new StdioWire({ input: process.stdin, output: process.stdout }, logger);
  const bridge = new Bridge({ client, target, clock: systemClock, pausesMs });
  await bridge.start();
  return { ended: client.closed, close: () => bridge.close() };
}
