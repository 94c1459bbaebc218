import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.js';
import { createServerFactory, type ServerSettings } from '../../src/mcp/server-factory.js';
import type { ServedTool } from '../../src/toolsets/shared/define-tool.js';
import { countingIds } from '../session/session-scene.js';
import { blindRedactor } from '../kit/redactors.js';

/** A client in this process, connected to the server that the factory builds. */
export async function connectClient(settings: Partial<ServerSettings> = {}): Promise<Client> {
  const factory = createServerFactory({
    version: '1.2.3',
    tools: [],
    resources: [],
    census: undefined,
    isStructured: false,
    instructions: 'Be kind.',
    onToolsListed: () => undefined,
    loadDependencies: () => Promise.reject(new Error('no session layer in this test')),
    logger: { log: () => undefined },
    redactor: blindRedactor,
    ids: countingIds(),
    isElicitationOn: true,
    approvers: new Set(),
    clock: systemClock,
    observers: [],
    ...settings,
  });
  const server = factory({ era: 'legacy' });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  onTestFinished(() => client.close());
  await server.connect(theirs);
  await client.connect(ours);
  return client;
}

/** The tools as a client gets them from tools/list. */
export async function listTools(tools: readonly ServedTool[]) {
  const client = await connectClient({ tools });
  return (await client.listTools()).tools;
}
