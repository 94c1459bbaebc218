import { countValues } from '../core/text/json-size.js';
import { problem } from './answers.js';
import { BodyBuffer } from './body-buffer.js';

export interface ReadRequest {
  readonly request: Request;
  readonly bodyBytes: number;
  /** JSON values in the body. */
  readonly values: number;
}

/** The request with its body in memory, or the refusal of a body that would cost too much to read as JSON. */
export async function withReadBody(request: Request, maxBytes: number): Promise<ReadRequest | Response> {
  if (request.body === null) return { request, bodyBytes: 0, values: 0 };
  const read = new BodyBuffer(maxBytes);
  for await (const chunk of request.body) {
    if (!read.add(chunk))
      return problem(
        413,
        -32_000,
        `The request body is longer than ${maxBytes} bytes, or has too many chunks.`,
      );
  }
  const body = read.take();
  const values = countValues(body.toString('utf8'));
  if (values === Number.POSITIVE_INFINITY)
    return problem(
      413,
      -32_600,
      'The request has more than 20,000 values or 200 levels. Shorten its lists and objects.',
    );
  const { url, method, headers, signal } = request;
  return { request: new Request(url, { method, headers, signal, body }), bodyBytes: body.length, values };
}
