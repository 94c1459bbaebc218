import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../core/observability/logger.js';
import { cutMiddle } from '../core/text/escape.js';
import type { Opened } from '../opening/opening-stdio.js';
import { ReplayingWire } from './replaying-wire.js';
import { StdioWire } from './stdio-wire.js';

export interface StdioTransport {
  /** Resolves when no further message can arrive. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves both protocol eras over stdin and stdout, from where the opening has ended. */
export function startStdio(
  factory: McpServerFactory,
  logger: Logger,
  { passed, input, output }: Opened = { passed: [], input: process.stdin, output: process.stdout },
): StdioTransport {
  const wire = new StdioWire({ input, output }, logger);
  const handle = serveStdio(factory, {
    transport: new ReplayingWire(wire, passed, logger),
    onerror: ({ message }) => logger.log('warn', 'protocol error', { reason: cutMiddle(message, 500) }),
  });
  return { ended: wire.closed, close: () => handle.close() };
}
