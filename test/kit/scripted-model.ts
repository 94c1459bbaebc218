/** A Messages API on loopback that answers Claude Code from scripts and records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { deferred } from './deferred.js';
import { isSideCall, parseRequest, type ModelRequest } from './model-request.js';
import { text, type ScriptStep, type Usage } from './model-steps.js';
import { playStep, sendJson } from './play-step.js';
import { RequestLog } from './request-log.js';
import { ScriptBook } from './script-book.js';

type UnexpectedRequest = { readonly method: string; readonly path: string };

/** One request for a message, and what a real API would charge for it. */
export type ApiCall = {
  readonly at: number;
  readonly request: ModelRequest;
  /** Set as soon as the answer begins, because an answer that is cut off is charged, too. */
  readonly charged: Usage | undefined;
};

export type ScriptedModel = {
  /** For ANTHROPIC_BASE_URL. */
  readonly url: string;
  /** The script of every turn whose prompt contains `prompt`. The latest registration wins. */
  when(prompt: string, steps: readonly ScriptStep[]): void;
  /** Requests of conversations, including subagents, oldest first. */
  requests(sessionId?: string): readonly ModelRequest[];
  /** The first past or future request that satisfies `matches`. */
  request(matches: (request: ModelRequest) => boolean): Promise<ModelRequest>;
  /** Session titles and similar requests, which are answered without a script. */
  readonly sideCalls: readonly ModelRequest[];
  /** Every request for a message, of conversations and others, in the order of arrival. */
  readonly calls: readonly ApiCall[];
  /** Requests to paths that Claude Code should not use in this environment. */
  readonly unexpected: readonly UnexpectedRequest[];
  close(): Promise<void>;
};

export async function startScriptedModel(): Promise<ScriptedModel> {
  const book = new ScriptBook();
  const requests = new RequestLog();
  const sideCalls: ModelRequest[] = [];
  const calls: { at: number; request: ModelRequest; charged: Usage | undefined }[] = [];
  const unexpected: UnexpectedRequest[] = [];

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = incoming.method ?? '';
    const path = incoming.url ?? '';
    const { pathname } = new URL(path, 'http://loopback');
    if (method === 'POST' && pathname === '/v1/messages/count_tokens') {
      return sendJson(response, 200, { input_tokens: 10 });
    }
    if (method !== 'POST' || pathname !== '/v1/messages') {
      unexpected.push({ method, path });
      return sendJson(response, 404, {});
    }
    const at = Date.now();
    const { left, ended } = watchEnd(response);
    const request = parseRequest(await readText(incoming), incoming.headers, ended);
    const call: (typeof calls)[number] = { at, request, charged: undefined };
    calls.push(call);
    const exchange = { request, response, left, charge: (usage: Usage) => (call.charged = usage) };
    if (isSideCall(request)) {
      sideCalls.push(request);
      return playStep(text('{"title":"Scripted session"}'), exchange);
    }
    requests.add(request);
    return playStep(book.nextStep(request), exchange);
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // 403 is the only error that Claude Code does not retry.
      if (response.headersSent) response.destroy();
      else sendJson(response, 403, apiFailure(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    when: (prompt, steps) => book.add(prompt, steps),
    requests: (sessionId) => requests.of(sessionId),
    request: (matches) => requests.first(matches),
    sideCalls,
    calls,
    unexpected,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function watchEnd(response: ServerResponse): { left: AbortSignal; ended: ModelRequest['ended'] } {
  const leaving = new AbortController();
  const ended = deferred<'answered' | 'aborted'>();
  response.once('close', () => {
    const outcome = response.writableFinished ? 'answered' : 'aborted';
    if (outcome === 'aborted') leaving.abort();
    ended.resolve(outcome);
  });
  return { left: leaving.signal, ended: ended.promise };
}

function apiFailure(error: unknown): unknown {
  const message = `The scripted model failed: ${error instanceof Error ? error.message : String(error)}`;
  return { type: 'error', error: { type: 'permission_error', message } };
}
