/** Plays one step on one HTTP response. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ModelRequest } from './model-request.js';
import type { MessageStep, ScriptStep, Usage } from './model-steps.js';
import { DEFAULT_USAGE, toJsonMessage, toSseEvents, toSseFrame } from './sse.js';

export type Exchange = {
  readonly request: ModelRequest;
  readonly response: ServerResponse;
  /** Aborts when the client disconnects before its answer is complete. */
  readonly left: AbortSignal;
  /** Called when an answer with this usage begins. */
  readonly charge: (usage: Usage) => void;
};

export async function playStep(script: ScriptStep, exchange: Exchange): Promise<void> {
  const { request, response, left } = exchange;
  const step = typeof script === 'function' ? await script(request) : script;
  switch (step.kind) {
    case 'message':
      return request.stream ? streamMessage(step, exchange) : sendMessage(step, exchange);
    case 'api-error':
      return sendJson(
        response,
        step.status,
        { type: 'error', error: { type: step.type, message: step.message } },
        step.headers,
      );
    case 'hang-up':
      response.socket?.destroy();
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('event: \u0000\ndata: {"type":\n\n<html>');
      return;
    case 'stall':
      return untilAborted(left);
    case 'gate':
      step.gate.arrive();
      await Promise.race([step.gate.opened, untilAborted(left)]);
      return left.aborted ? undefined : playStep(step.step, exchange);
    case 'repeat':
      return playStep(step.step, exchange);
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function sendMessage(step: MessageStep, exchange: Exchange): Promise<void> {
  const { request, response, left, charge } = exchange;
  if (step.ending === 'hang') return untilAborted(left);
  charge(step.usage ?? DEFAULT_USAGE);
  sendJson(response, 200, toJsonMessage(step, request.body.model));
}

async function streamMessage(step: MessageStep, exchange: Exchange): Promise<void> {
  const { request, response, left, charge } = exchange;
  charge(step.usage ?? DEFAULT_USAGE);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  try {
    for (const event of toSseEvents(step, request.body.model)) {
      if (left.aborted) return;
      if (step.delayMs && event.type === 'content_block_delta')
        await pause(step.delayMs, undefined, { signal: left });
      if (!response.write(toSseFrame(event))) await once(response, 'drain', { signal: left });
    }
  } catch (error) {
    // An interrupt closes the connection in the middle of the stream.
    if (left.aborted) return;
    throw error;
  }
  if (step.ending === 'hang') return untilAborted(left);
  if (step.ending === 'cut') response.destroy();
  else response.end();
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
