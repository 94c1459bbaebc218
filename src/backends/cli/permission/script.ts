import type { Readable, Writable } from 'node:stream';
import { asText, isObject, parseObject, type JsonObject } from '../../../core/json.js';
import { LineCutter } from '../../shared/lines.js';
import { askCallback, type CallbackAddress } from './ask-callback.js';
import { deny, heartbeatMs, serverName, toolName } from './protocol.js';

export interface ScriptSettings extends CallbackAddress {
  readonly sessionId: string;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
}

type Id = string | number;
type Reply = (result: unknown) => void;

const methodNotFound = -32601;
const latestProtocol = '2025-11-25';

/**
 * The MCP server that Claude Code asks for permissions. Uses no SDK, because it starts with every session. It decides
 * nothing: it forwards each question, and denies the call when it gets no answer.
 */
export function serveScript(settings: ScriptSettings): void {
  const { input, output } = settings;
  const open = new Map<Id, AbortController>();
  const send = (message: JsonObject): void => {
    output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };

  const methods: Readonly<Record<string, (params: JsonObject, reply: Reply, id: Id) => void>> = {
    initialize: ({ protocolVersion }, reply) =>
      reply({
        protocolVersion: asText(protocolVersion) ?? latestProtocol,
        capabilities: { tools: {} },
        serverInfo: { name: serverName, version: settings.version },
      }),
    ping: (_params, reply) => reply({}),
    'tools/list': (_params, reply) => reply({ tools: [tool] }),
    'tools/call': (params, reply, id) => {
      const asking = new AbortController();
      open.set(id, asking);
      const stopBeating = beat(params, send);
      void decide(params, settings, asking.signal).then((verdict) => {
        stopBeating();
        open.delete(id);
        // A withdrawn question needs no answer.
        if (!asking.signal.aborted) reply({ content: [{ type: 'text', text: verdict }] });
      });
    },
  };

  // Not node:readline, which also splits at U+2028: such a question would never be answered.
  const lines = new LineCutter((line) => {
    const message = parseObject(line);
    const method = asText(message?.['method']);
    if (message === undefined || method === undefined) return;
    const params = isObject(message['params']) ? message['params'] : {};
    const id = message['id'];
    if (typeof id !== 'string' && typeof id !== 'number') {
      if (method === 'notifications/cancelled') open.get(params['requestId'] as Id)?.abort();
      return;
    }
    const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handle === undefined)
      send({ id, error: { code: methodNotFound, message: `Method not found: ${method}` } });
    else handle(params, (result) => send({ id, result }), id);
  });
  input.on('data', (chunk: Buffer) => lines.push(chunk));
}

const tool = {
  name: toolName,
  description: 'Forwards a permission request from Claude Code to its approver.',
  inputSchema: {
    type: 'object',
    properties: {
      tool_name: { type: 'string' },
      input: { type: 'object' },
      tool_use_id: { type: 'string' },
    },
    required: ['tool_name', 'input'],
  },
};

async function decide(params: JsonObject, settings: ScriptSettings, signal: AbortSignal): Promise<string> {
  try {
    const call = isObject(params['arguments']) ? params['arguments'] : {};
    const name = asText(call['tool_name']);
    if (params['name'] !== toolName || name === undefined) throw new Error('the request is malformed');
    return await askCallback(
      {
        sessionId: settings.sessionId,
        tool_use_id: asText(call['tool_use_id']) ?? '',
        tool_name: name,
        input: isObject(call['input']) ? call['input'] : {},
      },
      settings,
      signal,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return JSON.stringify(deny(`Denied, because the approver could not be asked (${reason}).`));
  }
}

/** Claude Code aborts a call that reports no progress. */
function beat(params: JsonObject, send: (message: JsonObject) => void): () => void {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const progressToken = meta['progressToken'];
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return () => undefined;
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const message = 'Waiting for an answer';
    send({ method: 'notifications/progress', params: { progressToken, progress, message } });
  }, heartbeatMs);
  return () => clearInterval(timer);
}
