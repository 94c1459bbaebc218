import type { Card, StreamMessage } from '../../page/contract.js';
import type { StreamedMessage } from '../../page/desk.js';
import type { Turn } from '../../core/text/in-parts.js';
import { jsonBytes } from './json-parts.js';

/** A message as a server-sent event. JSON has no line breaks. */
export function eventOf(message: StreamMessage): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}

/** The same after its cursor, in parts: cards are sent by many streams, and can have megabytes. */
export function partsOf({ cursor, message }: StreamedMessage): readonly (string | Card)[] {
  const id = /^[\x20-\x7e]+$/.test(cursor) ? `id: ${cursor}\n` : '';
  switch (message.type) {
    case 'asked': {
      const { card, ...others } = message;
      return [`${id}data: {"card":`, card, `,${membersOf(others)}}\n\n`];
    }
    case 'inbox': {
      const { cards, ...others } = message;
      const list = cards.flatMap((card, index) => (index === 0 ? [card] : [',', card]));
      return [`${id}data: {"cards":[`, ...list, `],${membersOf(others)}}\n\n`];
    }
    default:
      return [`${id}${eventOf(message)}`];
  }
}

function membersOf(message: object): string {
  return JSON.stringify(message).slice(1, -1);
}

const encoder = new TextEncoder();

/** As long as a stream waits for it. */
const encodedCards = new WeakMap<Card, WeakRef<Promise<readonly Uint8Array[]>>>();
const cardLengths = new WeakMap<Card, number>();

/** Once for all streams that send this card at the moment. */
function cardBytes(card: Card, turn: Turn): Promise<readonly Uint8Array[]> {
  const bytes = encodedCards.get(card)?.deref() ?? jsonBytes(card, turn);
  encodedCards.set(card, new WeakRef(bytes));
  return bytes;
}

/** Undefined if there is no room. A card that was sent before is not serialised again to find that out. */
export async function encoded(
  part: string | Card,
  take: (bytes: number) => boolean,
  turn: Turn,
): Promise<readonly Uint8Array[] | undefined> {
  if (typeof part === 'string') {
    const bytes = encoder.encode(part);
    return take(bytes.byteLength) ? [bytes] : undefined;
  }
  const known = cardLengths.get(part);
  if (known !== undefined && !take(known)) return undefined;
  const chunks = await cardBytes(part, turn);
  const length = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  cardLengths.set(part, length);
  return known !== undefined || take(length) ? chunks : undefined;
}
