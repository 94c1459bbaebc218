/** What a client does with the server: it starts a session, approves its command, and waits for the result. */
import { asList, asText, isObject, parseObject, type JsonObject } from '../../core/json.js';

/** A server that reads and writes one JSON message a line. */
export interface Peer {
  send(message: JsonObject): void;
  /** The next message. Rejects when the server has ended. */
  receive(): Promise<JsonObject>;
}

/** Why the chain does not work. The message says what went wrong. */
export class SelfTestError extends Error {
  override readonly name = 'SelfTestError';
}

const waitMs = 20_000;

export async function runSession(
  peer: Peer,
  { cwd, commands }: { readonly cwd: string; readonly commands: readonly string[] },
): Promise<void> {
  const client = new Client(peer);
  await client.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'claude-code-mcp-doctor', version: '1' },
  });
  peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  let snapshot = await client.call('claude_code', { prompt: 'Run the self-test.', cwd, waitMs });
  const { sessionId } = snapshot;
  let hasApproved = false;
  while (snapshot['status'] === 'running' || snapshot['status'] === 'waiting') {
    const request = asList(snapshot['actions']).find(isObject);
    if (request === undefined) {
      snapshot = await client.call('claude_code_check', { sessionId, cursor: snapshot['cursor'], waitMs });
      continue;
    }
    const asked = JSON.stringify(request['input'] ?? request);
    if (!commands.some((command) => asked.includes(command)))
      throw new SelfTestError('the session asked to run another command than the model had chosen.');
    hasApproved = true;
    snapshot = await client.call('claude_code_respond', {
      requestId: request['requestId'],
      decision: 'allow',
      waitMs,
    });
  }
  const result = isObject(snapshot['result']) ? snapshot['result'] : {};
  if (snapshot['status'] !== 'idle')
    throw new SelfTestError(
      `the turn failed: ${asText(result['result']) ?? ''} ${asText(result['nextStep']) ?? ''}`.trim(),
    );
  if (!hasApproved) throw new SelfTestError('the session ran without asking for approval.');
}

class Client {
  readonly #peer: Peer;
  #lastId = 0;

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  /** The snapshot that a tool returns. */
  async call(name: string, args: JsonObject): Promise<JsonObject> {
    const result = await this.request('tools/call', { name, arguments: args });
    const [block] = asList(result['content']);
    const text = (isObject(block) ? asText(block['text']) : undefined) ?? '';
    const snapshot = result['isError'] === true ? undefined : parseObject(text);
    if (snapshot === undefined) throw new SelfTestError(text);
    return snapshot;
  }

  async request(method: string, params: JsonObject): Promise<JsonObject> {
    const id = (this.#lastId += 1);
    this.#peer.send({ jsonrpc: '2.0', id, method, params });
    for (;;) {
      const message = await this.#peer.receive();
      if (message['id'] !== id || message['method'] !== undefined) continue;
      if (isObject(message['result'])) return message['result'];
      throw new SelfTestError(`${method} failed: ${JSON.stringify(message['error'])}`);
    }
  }
}
