import type { Host } from './desk.js';

export interface HostEvents {
  /** The arguments of the call that opened this view. */
  readonly onInput: (args: Message) => void;
}

type Message = Readonly<Record<string, unknown>>;
type Settle = { readonly resolve: (result: Message) => void; readonly reject: (error: Error) => void };

const protocolVersion = '2026-01-26';

/** Connects to the host: JSON-RPC over postMessage, as MCP Apps define it. */
export async function connectHost({ onInput }: HostEvents): Promise<Host> {
  const pending = new Map<number, Settle>();
  let lastId = 0;
  // The host may be any origin. Only its window is trusted.
  const send = (message: Message): void => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const request = (method: string, params: object): Promise<Message> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      send({ id: lastId, method, params });
    });

  window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !isMessage(data)) return;
    const { id, method, params, result, error } = data;
    if (typeof method === 'string') {
      if (method === 'ui/notifications/tool-input' && isMessage(params)) onInput(argumentsIn(params));
      // The host waits for this answer before it removes the view.
      if (id !== undefined) send({ id, result: {} });
      return;
    }
    const settle = typeof id === 'number' ? pending.get(id) : undefined;
    if (settle === undefined) return;
    pending.delete(Number(id));
    if (isMessage(error)) settle.reject(new Error(String(error['message'])));
    else settle.resolve(isMessage(result) ? result : {});
  });

  const { hostCapabilities } = await request('ui/initialize', {
    appInfo: { name: 'claude-code-mcp', version: '1' },
    appCapabilities: {},
    protocolVersion,
  });
  send({ method: 'ui/notifications/initialized' });
  reportSize(send);
  return {
    can: { openLinks: isMessage(hostCapabilities) && hostCapabilities['openLinks'] !== undefined },
    async callTool(name, args) {
      return answerIn(await request('tools/call', { name, arguments: args }));
    },
    async openLink(url) {
      const { isError } = await request('ui/open-link', { url });
      if (isError === true) throw new Error('The host does not open this address.');
    },
  };
}

function argumentsIn({ arguments: given }: Message): Message {
  return isMessage(given) ? given : {};
}

/** The JSON that our tools answer with. */
function answerIn({ content, isError }: Message): unknown {
  const [block]: unknown[] = Array.isArray(content) ? content : [];
  const text = isMessage(block) ? String(block['text']) : '';
  if (isError === true) throw new Error(text);
  return JSON.parse(text);
}

/** The host gives the view the height that it needs. */
function reportSize(send: (message: Message) => void): void {
  const { documentElement } = document;
  new ResizeObserver(() => {
    const { width, height } = documentElement.getBoundingClientRect();
    send({
      method: 'ui/notifications/size-changed',
      params: { width: Math.ceil(width), height: Math.ceil(height) },
    });
  }).observe(documentElement);
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null;
}
