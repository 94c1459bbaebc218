import type { Turn } from '../../core/text/in-parts.js';

/** Takes some milliseconds. */
const partChars = 100_000;

/** The JSON of plain data, in parts: that of a text of millions of characters would take a second at once. */
function* jsonParts(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > partChars) {
    yield '"';
    // Half a character becomes an escape, so it is whole again when both parts are read.
    for (let start = 0; start < value.length; start += partChars)
      yield JSON.stringify(value.slice(start, start + partChars)).slice(1, -1);
    yield '"';
  } else if (Array.isArray(value)) {
    let before = '[';
    for (const inner of value) {
      yield before;
      yield* jsonParts(inner ?? null);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null) {
    let before = '{';
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined) continue;
      yield before;
      yield* jsonParts(key);
      yield ':';
      yield* jsonParts(inner);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield JSON.stringify(value);
}

const encoder = new TextEncoder();

/** The same as bytes, with a turn before each part. */
export async function jsonBytes(value: object, turn: Turn): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let text = '';
  for (const part of jsonParts(value)) {
    text += part;
    if (text.length < partChars) continue;
    await turn();
    chunks.push(encoder.encode(text));
    text = '';
  }
  await turn();
  return [...chunks, encoder.encode(text)];
}
