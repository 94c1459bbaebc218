import { parseJson } from '../core/json.js';
import { countValues } from '../core/text/json-size.js';
import { problem } from './answers.js';
import { BodyBuffer } from './body/body-buffer.js';

export interface ReadRequest {
  /** Without a body, if `json` has it. */
  readonly request: Request;
  /** Parsed once, for everyone. Undefined without a body, and for one that is not JSON. */
  readonly json: unknown;
  readonly bodyBytes: number;
  /** JSON values in the body. */
  readonly values: number;
}

export interface BodyLimits {
  readonly maxBytes: number;
  /** Whether the next bytes of the body may be kept in memory. */
  readonly hasRoom: (bytes: number) => boolean;
  /** Resolves when a long body may be read as JSON, which takes up to a few dozen milliseconds. */
  readonly nextTurn: () => Promise<void>;
}

/** Reading it takes less than a millisecond. */
const shortBytes = 65_536;

/** The request and its body in memory, or the refusal of a body that would cost too much to read as JSON. */
export async function withReadBody(
  request: Request,
  { maxBytes, hasRoom, nextTurn }: BodyLimits,
): Promise<ReadRequest | Response> {
  if (request.body === null) return { request, json: undefined, bodyBytes: 0, values: 0 };
  const read = new BodyBuffer(maxBytes);
  for await (const chunk of request.body) {
    if (!hasRoom(chunk.byteLength))
      return problem(429, -32_000, 'Too many long requests are running. Try again later.', {
        'retry-after': '1',
      });
    if (!read.add(chunk))
      return problem(
        413,
        -32_000,
        `The request body is longer than ${maxBytes} bytes, or has too many chunks.`,
      );
  }
  const body = read.take();
  if (body.length > shortBytes) await nextTurn();
  const text = body.toString('utf8');
  const values = countValues(text);
  if (values === Number.POSITIVE_INFINITY)
    return problem(
      413,
      -32_600,
      'The request has more than 20,000 values or 200 levels. Shorten its lists and objects.',
    );
  const json = parseJson(text);
  const found = { json, bodyBytes: body.length, values };
  if (json !== undefined) return { request, ...found };
  // The SDK reads it again, and says what is wrong with it.
  const { url, method, headers, signal } = request;
  return { request: new Request(url, { method, headers, signal, body }), ...found };
}
