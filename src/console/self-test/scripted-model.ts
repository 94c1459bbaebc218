/** The part of the Messages API that one turn needs, on loopback. It asks for one command, then says that it is done. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { asList, isObject, parseObject, type JsonObject } from '../../core/json.js';

export interface ScriptedModel {
  /** For ANTHROPIC_BASE_URL. */
  readonly url: string;
  /** Requests for messages so far. */
  readonly calls: number;
  close(): Promise<void>;
}

/** The command for each tool that can run one. */
export type Commands = Readonly<Record<string, string>>;

export async function startScriptedModel(commands: Commands): Promise<ScriptedModel> {
  let calls = 0;
  const server = createServer((request, response) => {
    void readText(request)
      .then((body) => {
        const path = request.url?.split('?', 1)[0];
        if (path === '/v1/messages/count_tokens') return send(response, { input_tokens: 10 });
        if (path !== '/v1/messages') return send(response, {}, 404);
        calls += 1;
        answer(response, parseObject(body) ?? {}, commands);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get calls() {
      return calls;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, request: JsonObject, commands: Commands): void {
  const name = toolFor(request, commands);
  const input = name && { command: commands[name], description: 'Self-test' };
  const block = input
    ? { type: 'tool_use', id: 'toolu_self_test', name, input }
    : { type: 'text', text: 'The self-test is done.' };
  const message = {
    id: 'msg_self_test',
    type: 'message',
    role: 'assistant',
    model: request['model'],
    content: [block],
    stop_reason: block.type === 'tool_use' ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 10 },
  };
  if (request['stream'] !== true) return send(response, message);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(
    eventsOf(message, block)
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(''),
  );
}

/** Undefined if the request needs no command: those without tools ask for a title, for example. */
function toolFor({ tools, messages }: JsonObject, commands: Commands): string | undefined {
  const offered = new Set(asList(tools).map((tool) => isObject(tool) && tool['name']));
  const isDone = JSON.stringify(messages).includes('"tool_result"');
  return isDone ? undefined : Object.keys(commands).find((name) => offered.has(name));
}

function eventsOf(
  message: JsonObject & { readonly stop_reason: string },
  block: JsonObject,
): readonly ({ readonly type: string } & JsonObject)[] {
  const [empty, delta] =
    block['type'] === 'tool_use'
      ? [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) },
        ]
      : [
          { ...block, text: '' },
          { type: 'text_delta', text: block['text'] },
        ];
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: 'message_stop' },
  ];
}

function send(response: ServerResponse, body: JsonObject, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
