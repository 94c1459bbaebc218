import * as z from 'zod';

/** One session option as data. The wire schema, the docs and the policy are derived from it. */
export interface OptionSpec<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  /** Top level of claude_code's input, or inside `advanced`. */
  readonly place: 'top' | 'advanced';
  /** Field description in tools/list. Every conversation pays for it, so only where the name is not enough. */
  readonly words?: string;
  /** Hides the parts of a value from the wire schema, which then shows only its type. */
  readonly isOpaque?: boolean;
  /** Hides all alternatives of a union but the first from the wire schema. */
  readonly showsFirst?: boolean;
  /** Meaning in the docs and in the reference resource. */
  readonly long: string;
}

export type OptionGroup = Readonly<Record<string, OptionSpec>>;

/** Text that becomes a command-line argument: a leading dash would make it a flag, and a NUL would truncate it. */
export function argument(maxChars: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(maxChars)
    .regex(/^[^-]/, 'must not start with "-"')
    .refine((text) => !text.includes('\0'), 'must not contain NUL');
}

/** Linux accepts 128 KiB per argument. A start that exceeds it fails without naming the argument. */
const maxArgumentBytes = 120_000;

/** Whether the JSON of a value fits into one command-line argument. */
export function fitsArgument(value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= maxArgumentBytes;
}

export const tooLong = `is longer than ${maxArgumentBytes} bytes as JSON`;

/** Returns its argument; preserves the literal types. */
export function defineOptions<const G extends OptionGroup>(group: G): G {
  return group;
}

export type OptionValues<G extends OptionGroup> = {
  readonly [K in keyof G]?: z.infer<G[K]['schema']> | undefined;
};
