import { expect, it } from 'vitest';
import { readCard } from '../../../web/view/read-card.js';
import { commandCard } from '../samples.js';

/** Answers with parts of 100 characters, of the first version once and then of the other. */
function partsOf(first: string, then: string): Parameters<typeof readCard>[0] {
  return async (offset) => {
    const json = offset === 0 ? first : then;
    return { card: json.slice(offset, offset + 100), chars: json.length };
  };
}

it('a card is put together from its parts', async () => {
  const card = commandCard();
  const json = JSON.stringify(card);

  expect(await readCard(partsOf(json, json))).toEqual(card);
});

it('a card is not made of two versions, between which a part of what runs can be missing', async () => {
  const claims = ['x'.repeat(50), ''].map((toolName) => JSON.stringify(commandCard({ toolName })));

  expect(await readCard(partsOf(claims[0] ?? '', claims[1] ?? ''))).toBeUndefined();
});
