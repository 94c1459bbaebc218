import { Client, InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import type { McpServerFactory, ProtocolEra } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';
import { ResourceUpdates } from '../../src/mcp/resources/updates.js';
import { systemClock } from '../../src/core/clock.js';
import { createServerFactory, type ServerSettings } from '../../src/mcp/server-factory.js';
import type { ServedTool } from '../../src/toolsets/shared/define-tool.js';
import { countingIds } from '../session/session-scene.js';
import { blindRedactor } from '../kit/redactors.js';

export interface Connection {
  /** Default: `legacy`. */
  readonly era?: ProtocolEra;
  /** Receives every message of the server. */
  readonly onSent?: (message: JSONRPCMessage) => void;
}

export function factoryOf(settings: Partial<ServerSettings> = {}): McpServerFactory {
  return createServerFactory({
    version: '1.2.3',
    tools: [],
    resources: [],
    census: undefined,
    isStructured: false,
    instructions: 'Be kind.',
    onAct: () => undefined,
    loadDependencies: () => Promise.reject(new Error('no session layer in this test')),
    logger: { log: () => undefined },
    redactor: blindRedactor,
    ids: countingIds(),
    isElicitationOn: true,
    approvers: new Set(),
    clock: systemClock,
    observers: [],
    updates: new ResourceUpdates(systemClock),
    ...settings,
  });
}

/** A client in this process, connected to a server with these settings. */
export function connectClient(settings?: Partial<ServerSettings>, connection?: Connection): Promise<Client> {
  return clientOf(factoryOf(settings), connection);
}

/** A client in this process, connected to the server that the factory builds. */
export async function clientOf(
  factory: McpServerFactory,
  { era = 'legacy', onSent }: Connection = {},
): Promise<Client> {
  const mode = era === 'modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const send = theirs.send.bind(theirs);
  theirs.send = (message, options) => {
    onSent?.(message);
    return send(message, options);
  };
  onTestFinished(() => client.close());
  serveStdio(factory, { transport: theirs });
  await client.connect(ours);
  return client;
}

/** The length of the whole response to tools/list. The 2026 era adds cache hints and the identity of the server. */
export async function toolsListBytes(tools: readonly ServedTool[], era: ProtocolEra): Promise<number> {
  let bytes: number | undefined;
  const client = await connectClient(
    { tools },
    {
      era,
      onSent(message) {
        if ('result' in message && 'tools' in message.result)
          bytes = Buffer.byteLength(JSON.stringify(message));
      },
    },
  );
  await client.listTools();
  if (bytes === undefined) throw new Error('The server did not answer tools/list.');
  return bytes;
}

/** The tools as a client gets them from tools/list. */
export async function listTools(tools: readonly ServedTool[]) {
  const client = await connectClient({ tools });
  return (await client.listTools()).tools;
}
