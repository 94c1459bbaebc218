/** A bridge in this process, between a client and a service of the test. */
import {
  Client,
  InMemoryTransport,
  type ClientCapabilities,
  type FetchLike,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { Bridge } from '../../src/bridge/bridge.js';
import { systemClock } from '../../src/core/clock.js';
import { NEGOTIATION, toReply, type Era, type ServerClient } from './server-client.js';

const address = 'http://127.0.0.1:8137/mcp';

interface BridgeOptions {
  readonly url?: () => string;
  readonly token?: () => string;
  readonly fetch?: FetchLike;
  readonly pausesMs?: readonly number[];
}

async function openBridge({
  url = () => address,
  token = () => 'ccm_test',
  fetch,
  pausesMs = [],
}: BridgeOptions): Promise<InMemoryTransport> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const bridge = new Bridge({
    client: far,
    target: async () => ({ url: url(), token: token() }),
    clock: systemClock,
    pausesMs,
    fetch,
  });
  await bridge.start();
  onTestFinished(() => bridge.close());
  return near;
}

export interface RawClient {
  send(message: object): void;
  readonly received: readonly JSONRPCMessage[];
  /** Resolves with the next message that has this member. */
  next(member: 'result' | 'error' | 'method'): Promise<JSONRPCMessage>;
}

/** A client that sends what the test says. */
export async function rawBridge(options: BridgeOptions): Promise<RawClient> {
  const near = await openBridge(options);
  const received: JSONRPCMessage[] = [];
  const lookers = new Set<() => void>();
  const taken = new Set<JSONRPCMessage>();
  Object.assign(near, {
    onmessage: (message: JSONRPCMessage) => {
      received.push(message);
      for (const look of lookers) look();
    },
  });
  await near.start();
  return {
    received,
    send: (message) => void near.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage),
    next: (member) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = received.find((message) => member in message && !taken.has(message));
          if (found === undefined) return;
          taken.add(found);
          lookers.delete(look);
          resolve(found);
        };
        lookers.add(look);
        look();
      }),
  };
}

/** An MCP client that is connected through a bridge. */
export async function connectBridge(
  options: BridgeOptions & { readonly era: Era; readonly capabilities?: ClientCapabilities },
): Promise<Pick<ServerClient, 'client' | 'call'>> {
  const { era, capabilities = {} } = options;
  const near = await openBridge(options);
  const client = new Client(
    { name: `kit-${era}`, version: '1.0.0' },
    { capabilities, versionNegotiation: NEGOTIATION[era] },
  );
  await client.connect(near);
  onTestFinished(() => client.close());
  return {
    client,
    call: async (name, args = {}, { timeout = 20_000, ...rest } = {}) =>
      toReply(await client.callTool({ name, arguments: args }, { timeout, ...rest })),
  };
}
