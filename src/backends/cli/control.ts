import { randomUUID } from 'node:crypto';
import { asText, isObject, type JsonObject } from '../../core/json.js';

type Write = (message: JsonObject) => void;

/** Control requests in both directions, separate from the conversation. */
export class ControlChannel {
  readonly #write: Write;
  readonly #report: (words: string) => void;
  readonly #pending = new Map<string, (isDone: boolean) => void>();

  constructor(write: Write, report: (words: string) => void) {
    this.#write = write;
    this.#report = report;
  }

  /** Resolves when Claude Code acknowledges the request, which may never happen. */
  request(subtype: string): Promise<boolean> {
    const requestId = randomUUID();
    const answered = new Promise<boolean>((resolve) => this.#pending.set(requestId, resolve));
    this.#write({ type: 'control_request', request_id: requestId, request: { subtype } });
    return answered;
  }

  /** True for a control message, which is not part of the conversation. */
  receive(message: JsonObject): boolean {
    switch (message['type']) {
      case 'control_response':
        this.#onResponse(isObject(message['response']) ? message['response'] : {});
        return true;
      case 'control_request':
        this.#onRequest(message);
        return true;
      case 'control_cancel_request':
        return true;
      default:
        return false;
    }
  }

  #onResponse(response: JsonObject): void {
    const requestId = asText(response['request_id']) ?? '';
    this.#pending.get(requestId)?.(response['subtype'] === 'success');
    this.#pending.delete(requestId);
  }

  /** Requests that cannot be answered here are declined and reported, never left open. */
  #onRequest(message: JsonObject): void {
    const requestId = message['request_id'];
    const request = isObject(message['request']) ? message['request'] : {};
    const subtype = asText(request['subtype']) ?? 'unknown';
    const answer = (response: JsonObject): void =>
      this.#write({ type: 'control_response', response: { request_id: requestId, ...response } });
    switch (subtype) {
      case 'request_user_dialog':
        this.#report(`Claude Code opened a dialog (${asText(request['dialog_kind'])}), which was cancelled`);
        return answer({ subtype: 'success', response: { behavior: 'cancelled' } });
      case 'elicitation':
        this.#report(
          `The MCP server ${asText(request['mcp_server_name'])} asked for input, which was cancelled`,
        );
        return answer({ subtype: 'success', response: { action: 'cancel' } });
      default:
        return answer({ subtype: 'error', error: `Not supported by this host: ${subtype}` });
    }
  }
}
