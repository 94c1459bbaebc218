import type { Turn } from '../../core/text/in-parts.js';

/** Takes some milliseconds. */
const partChars = 100_000;
/** So do these, however short they are. */
const partsPerTurn = 20_000;

/** A value that needs parts of its own. */
class Inner {
  readonly value: object | string;

  constructor(value: object | string) {
    this.value = value;
  }
}

/** The JSON of plain data, in parts: that of a text of millions of characters would take a second at once. */
function* jsonParts(value: object): Generator<string> {
  // A generator within a generator for each level would pass every part through all of them.
  const open = [partsOf(value)];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const { done, value: part } = last.next();
    if (done === true) open.pop();
    else if (part instanceof Inner) open.push(partsOf(part.value));
    else yield part;
  }
}

type Parts = Generator<string | Inner, void, void>;

function partsOf(value: object | string): Parts {
  if (typeof value === 'string') return partsOfText(value);
  return Array.isArray(value) ? partsOfList(value) : partsOfObject(value);
}

function* partsOfText(text: string): Parts {
  yield '"';
  // Half a character becomes an escape, so it is whole again when both parts are read.
  for (let start = 0; start < text.length; start += partChars)
    yield JSON.stringify(text.slice(start, start + partChars)).slice(1, -1);
  yield '"';
}

function* partsOfList(list: readonly unknown[]): Parts {
  let before = '[';
  for (const inner of list) {
    yield before;
    yield partOf(inner ?? null);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* partsOfObject(object: object): Parts {
  let before = '{';
  for (const [key, inner] of Object.entries(object)) {
    if (inner === undefined) continue;
    yield before;
    yield partOf(key);
    yield ':';
    yield partOf(inner);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function partOf(value: unknown): string | Inner {
  const isLong = typeof value === 'string' && value.length > partChars;
  return isLong || (typeof value === 'object' && value !== null) ? new Inner(value) : JSON.stringify(value);
}

const encoder = new TextEncoder();

/** The same as bytes, with a turn before each part. */
export async function jsonBytes(value: object, turn: Turn): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let [text, parts] = ['', 0];
  for (const part of jsonParts(value)) {
    text += part;
    parts += 1;
    if (text.length < partChars && parts < partsPerTurn) continue;
    await turn();
    chunks.push(encoder.encode(text));
    [text, parts] = ['', 0];
  }
  await turn();
  return [...chunks, encoder.encode(text)];
}
