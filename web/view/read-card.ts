import type { Card } from '../../src/page/contract.js';
import type { CardPage } from '../../src/page/view/contract.js';

/**
 * Puts a card together from its parts. Undefined if the file that it shows has changed meanwhile: between parts of two
 * versions, a part of what runs can be missing.
 */
export async function readCard(
  readAt: (offset: number) => Promise<Pick<CardPage, 'card' | 'chars'>>,
): Promise<Card | undefined> {
  const { card: first, chars } = await readAt(0);
  let json = first;
  while (json.length < chars) {
    const page = await readAt(json.length);
    if (page.chars !== chars) return undefined;
    json += page.card;
  }
  return JSON.parse(json) as Card;
}
