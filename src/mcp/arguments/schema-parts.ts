import * as z from 'zod';

/** The schema of the values that a field accepts, without wrappers that say whether it may be missing. */
export function unwrapped(field: unknown): unknown {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodLazy)
    return unwrapped(field.unwrap());
  // The first part of a pipe is what clients see; the second is what is accepted.
  return field instanceof z.ZodPipe ? unwrapped(field.out) : field;
}

export function accepts(field: unknown, value: unknown): boolean {
  // Without words for what is wrong, which take most of the time.
  return field instanceof z.ZodType && !isWrong(field._zod.run({ value, issues: [] }, { async: false }));
}

function isWrong(result: ReturnType<z.ZodType['_zod']['run']>): boolean {
  return result instanceof Promise || result.issues.length > 0;
}

/** The alternatives of a field, of which there is often only one. */
export function alternatives(field: unknown): readonly unknown[] {
  const inner = unwrapped(field);
  return inner instanceof z.ZodUnion ? inner.options.flatMap(alternatives) : [inner];
}

/** The texts that a field accepts if it accepts a few only. */
export function choicesOf(field: unknown): readonly string[] {
  const inner = unwrapped(field);
  if (inner instanceof z.ZodEnum) return inner.options.map(String);
  return inner instanceof z.ZodLiteral
    ? [...inner.values].filter((value): value is string => typeof value === 'string')
    : [];
}
