import type { Clock } from '../../core/clock.js';
import { isTooCostly } from '../../core/text/json-size.js';
import { BodyBuffer } from '../body/body-buffer.js';
import type { Problem } from './problems.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /** Whether the next bytes of the body may be kept in memory. Undefined: always. */
  readonly hasRoom?: (bytes: number) => boolean;
  /** Undefined: as long as the listener allows. */
  readonly within?: { readonly ms: number; readonly clock: Clock };
}

/** The JSON of a call. Undefined values cannot occur: an empty body is not JSON. */
export async function readJson(
  request: Request,
  limits: BodyLimits,
): Promise<{ readonly value: unknown } | Problem> {
  const type = request.headers.get('content-type') ?? '';
  // Other types can be sent by forms of other sites without asking the server first.
  if (!/^application\/json(;|$)/i.test(type.trim())) return 'not_json';
  if (Number(request.headers.get('content-length') ?? 0) > limits.maxBytes) return 'too_large';
  const bytes = await readUpTo(request.body, limits);
  if (typeof bytes === 'string') return bytes;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return isTooCostly(text) ? 'too_large' : { value: JSON.parse(text) as unknown };
  } catch {
    return 'invalid_body';
  }
}

async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, hasRoom = () => true, within }: BodyLimits,
): Promise<Uint8Array | Problem> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  let isLate = false;
  const stop = within?.clock.after(within.ms, () => {
    isLate = true;
    void reader.cancel();
  });
  const read = new BodyBuffer(maxBytes);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate) return 'too_slow';
      if (done) return read.take();
      if (!hasRoom(value.byteLength)) return 'too_many_requests';
      if (!read.add(value)) return 'too_large';
    }
  } finally {
    stop?.();
    reader.releaseLock();
  }
}
