import type * as z from 'zod';
import { code, table } from './markdown.js';
import { valueWords } from './value-words.js';

/** A key, what it takes, and what it means. */
export type FieldRow = readonly [name: string, field: z.ZodType, meaning: string];

export function fieldTable(rows: readonly FieldRow[]): string {
  return table(
    ['Key', 'Value', 'Meaning'],
    rows.map(([name, field, meaning]) => [
      field.safeParse(undefined).success ? code(name) : `${code(name)} (required)`,
      name === 'advanced' ? 'object' : valueWords(field),
      meaning,
    ]),
  );
}
