import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../core/observability/logger.js';
import { cutMiddle } from '../core/text/escape.js';

export interface StdioTransport {
  /** Resolves when no further message can arrive. */
  readonly ended: Promise<ConnectionEnd>;
  close(): Promise<void>;
}

/** Whether the client left, or the server closed the connection because it could no longer read it. */
export type ConnectionEnd = 'disconnected' | 'unreadable';

/** The transport counts what it has not processed yet, which includes the rest of the last chunk. */
const maxLineBytes = 10 * 1024 * 1024;
const maxChunkBytes = 64 * 1024;

const tooLong = 'A message is longer than 10 MiB. The server cannot read on and exits.';
const invalidRequest = -32_600;

/** The list of everything that a message could have been instead is kilobytes long. */
function reasonOf({ name, message }: Error): string {
  return name.endsWith('ZodError') ? 'a line is not a JSON-RPC message' : cutMiddle(message, 500);
}

/** Serves both protocol eras over stdin and stdout. */
export function startStdio(factory: McpServerFactory, logger: Logger): StdioTransport {
  const { stdin, stdout } = process;
  const wire = new StdioServerTransport(stdin, stdout, { maxBufferSize: maxLineBytes + maxChunkBytes });
  let end: (how: ConnectionEnd) => void;
  const ended = new Promise<ConnectionEnd>((resolve) => (end = resolve));
  const disconnect = (): void => end('disconnected');
  // Before the transport listens, so that a client that leaves is not taken for a failure.
  stdin.once('end', disconnect).once('close', disconnect).once('error', disconnect);
  // When a client dies while we write, stdout fails before stdin ends.
  stdout.once('error', disconnect);
  const handle = serveStdio(factory, {
    transport: wire,
    onerror: (error) => {
      if (!error.message.startsWith('ReadBuffer exceeded'))
        return logger.log('warn', 'protocol error', { reason: reasonOf(error) });
      logger.log('error', tooLong);
      // Without an id: it stands in the part that was not read.
      void wire.send({ jsonrpc: '2.0', error: { code: invalidRequest, message: tooLong } });
    },
  });
  const { onclose } = wire;
  // A transport that closes itself stops listening to stdin, so nothing else would notice the end.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no EventTarget
  wire.onclose = () => {
    onclose?.();
    end('unreadable');
  };
  return { ended, close: () => handle.close() };
}
