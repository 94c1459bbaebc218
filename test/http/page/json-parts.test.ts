import { assert, asyncProperty, dictionary, integer, jsonValue, oneof, option, string } from 'fast-check';
import { expect, it } from 'vitest';
import { jsonBytes } from '../../../src/http/page/json-parts.js';

it('any data becomes the same JSON in parts', async () => {
  const value = oneof(jsonValue(), dictionary(string(), option(jsonValue(), { nil: undefined })));
  await assert(
    asyncProperty(value, integer({ min: 99_990, max: 100_000 }), async (inner, count) => {
      const data = { inner, text: `${'x'.repeat(count)}"\u{1f600}\ud800\u200b`, none: undefined };
      const chunks = await jsonBytes(data, async () => undefined);

      expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual(JSON.parse(JSON.stringify(data)));
    }),
  );
});

it('a long text becomes JSON with other work between its parts', async () => {
  let turns = 0;

  await jsonBytes({ text: 'a'.repeat(1_000_000) }, async () => void (turns += 1));

  expect(turns).toBe(11);
});

it('values nested at any depth become JSON', async () => {
  const levels = 100_000;
  let value: unknown = 0;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };

  const chunks = await jsonBytes({ value }, async () => undefined);

  expect(Buffer.concat(chunks).toString()).toBe(
    `{"value":${'{"a":['.repeat(levels / 2)}0${']}'.repeat(levels / 2)}}`,
  );
});

it('many short values become JSON with other work between them', async () => {
  let turns = 0;

  await jsonBytes(
    Array.from({ length: 45_000 }, () => 0),
    async () => void (turns += 1),
  );

  expect(turns).toBeGreaterThan(4);
});
