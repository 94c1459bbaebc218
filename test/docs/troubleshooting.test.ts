import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { turnFailures } from '../../src/core/session/turn-failures.js';

const page = readFileSync('docs/guides/troubleshooting.md', 'utf8');

/** The codes in the first column of each table with this heading. */
function firstColumns(heading: string): readonly string[] {
  const tables = page.split(/\n\n/).filter((part) => part.startsWith(`| ${heading}`));
  const rows = tables.flatMap((table) => table.split('\n').slice(2));
  return rows.flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
  );
}

it('the guide to troubleshooting quotes texts that the server can give', () => {
  // Other tests compare these files with the texts of all reasons.
  const texts = readdirSync('test/__errors__').map((name) => readFileSync(`test/__errors__/${name}`, 'utf8'));
  const quotes = firstColumns('The error says');

  expect(quotes.filter((quote) => !texts.some((text) => text.includes(quote)))).toEqual([]);
  expect(quotes.length).toBeGreaterThan(25);
});

it('the guide to troubleshooting names failures that exist', () => {
  const subtypes = firstColumns('`errorSubtype`');

  expect(subtypes.filter((subtype) => !Object.hasOwn(turnFailures, subtype))).toEqual([]);
  expect(subtypes.length).toBeGreaterThan(10);
});
