import type { Problem } from './problems.js';

/** The JSON of a call. Undefined values cannot occur: an empty body is not JSON. */
export async function readJson(
  request: Request,
  maxBytes: number,
): Promise<{ readonly value: unknown } | Problem> {
  const type = request.headers.get('content-type') ?? '';
  // Other types can be sent by forms of other sites without asking the server first.
  if (!/^application\/json(;|$)/i.test(type.trim())) return 'not_json';
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return 'too_large';
  const bytes = await readUpTo(request.body, maxBytes);
  if (bytes === undefined) return 'too_large';
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown };
  } catch {
    return 'invalid_body';
  }
}

async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  for await (const chunk of body ?? []) {
    left -= chunk.byteLength;
    if (left < 0) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
