import { randomUUID } from 'node:crypto';
import { messageOf } from '../../core/errors.js';
import { isObject, asText, type JsonObject } from '../../core/json.js';

type Write = (message: JsonObject) => void;

/** Answers a request of Claude Code. The signal aborts when it withdraws the request or ends. */
export type AnswerRequest = (request: JsonObject, signal: AbortSignal) => Promise<object>;

/** Control requests in both directions, separate from the conversation. */
export class ControlChannel {
  readonly #write: Write;
  readonly #answer: AnswerRequest;
  readonly #pending = new Map<string, (response: JsonObject) => void>();
  /** Requests of Claude Code that are open. */
  readonly #open = new Map<string, AbortController>();

  constructor(write: Write, answer: AnswerRequest) {
    this.#write = write;
    this.#answer = answer;
  }

  /** Resolves with what Claude Code answers, which may never happen. Rejects if it refuses. */
  request(subtype: string, fields: JsonObject = {}): Promise<JsonObject> {
    const requestId = randomUUID();
    const answered = new Promise<JsonObject>((resolve, reject) =>
      this.#pending.set(requestId, (response) => {
        if (response['subtype'] === 'success')
          resolve(isObject(response['response']) ? response['response'] : {});
        else reject(new Error(asText(response['error']) ?? `Claude Code refused ${subtype}`));
      }),
    );
    this.#write({ type: 'control_request', request_id: requestId, request: { subtype, ...fields } });
    return answered;
  }

  /** True for a control message, which is not part of the conversation. */
  receive(message: JsonObject): boolean {
    switch (message['type']) {
      case 'control_response':
        this.#onResponse(isObject(message['response']) ? message['response'] : {});
        return true;
      case 'control_request':
        void this.#onRequest(message);
        return true;
      case 'control_cancel_request':
        this.#withdraw(asText(message['request_id']) ?? '');
        return true;
      default:
        return false;
    }
  }

  /** Withdraws every request that is open. */
  close(): void {
    for (const requestId of this.#open.keys()) this.#withdraw(requestId);
  }

  #onResponse(response: JsonObject): void {
    const requestId = asText(response['request_id']) ?? '';
    this.#pending.get(requestId)?.(response);
    this.#pending.delete(requestId);
  }

  async #onRequest(message: JsonObject): Promise<void> {
    const requestId = asText(message['request_id']) ?? '';
    const withdrawn = new AbortController();
    this.#open.set(requestId, withdrawn);
    const response = await this.#answerTo(message['request'], withdrawn.signal);
    // Claude Code does not take the answer to a request that it has withdrawn.
    if (this.#open.delete(requestId))
      this.#write({ type: 'control_response', response: { request_id: requestId, ...response } });
  }

  async #answerTo(request: unknown, signal: AbortSignal): Promise<JsonObject> {
    try {
      return { subtype: 'success', response: await this.#answer(isObject(request) ? request : {}, signal) };
    } catch (error) {
      return { subtype: 'error', error: messageOf(error) };
    }
  }

  #withdraw(requestId: string): void {
    const withdrawn = this.#open.get(requestId);
    this.#open.delete(requestId);
    withdrawn?.abort();
  }
}
