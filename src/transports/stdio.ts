import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../core/observability/logger.js';

export interface StdioTransport {
  /** Resolves when the client has closed the connection. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves both protocol eras over stdin and stdout. */
export function startStdio(factory: McpServerFactory, logger: Logger): StdioTransport {
  const handle = serveStdio(factory, {
    onerror: (error) => logger.log('warn', 'protocol error', { reason: error.message }),
  });
  const ended = new Promise<void>((resolve) => {
    process.stdin
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
    // When a client dies while we write, stdout fails before stdin ends.
    process.stdout.once('error', () => resolve());
  });
  return { ended, close: () => handle.close() };
}
