import { isTooCostly } from '../core/text/json-size.js';
import { problem } from './answers.js';

export interface ReadRequest {
  readonly request: Request;
  readonly bodyBytes: number;
}

/** The request with its body in memory, or the refusal of a body that would cost too much to read as JSON. */
export async function withReadBody(request: Request, maxBytes: number): Promise<ReadRequest | Response> {
  if (request.body === null) return { request, bodyBytes: 0 };
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  for await (const chunk of request.body) {
    left -= chunk.byteLength;
    if (left < 0) return problem(413, -32_000, `The request body is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (isTooCostly(body.toString('utf8')))
    return problem(
      413,
      -32_600,
      'The request has more than 20,000 values or 200 levels. Shorten its lists and objects.',
    );
  const { url, method, headers, signal } = request;
  return { request: new Request(url, { method, headers, signal, body }), bodyBytes: body.length };
}
