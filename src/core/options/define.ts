import * as z from 'zod';

/** One option of a session, as data: the wire schema, the docs and the policy are made from it. */
export interface OptionSpec<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  /** Whether it stands at the top of claude_code's input or inside `advanced`. */
  readonly place: 'top' | 'advanced';
  /** Shown to the model on every tools/list: only where the name does not say it. */
  readonly words?: string;
  /** A value of many parts: on the wire it is an object, and its parts are in the docs. */
  readonly isOpaque?: boolean;
  /** For the docs. */
  readonly long: string;
}

export type OptionGroup = Readonly<Record<string, OptionSpec>>;

/** Text that becomes an argument of Claude Code: a leading dash would make it a flag, a NUL would end it. */
export function argument(maxChars: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(maxChars)
    .regex(/^[^-]/, 'must not start with "-"')
    .refine((text) => !text.includes('\0'), 'must not contain NUL');
}

/** Linux takes 128 KiB for one argument, and a start that fails by it does not say which. */
const maxArgumentBytes = 120_000;

/** Whether a value can be handed to Claude Code as one argument, in JSON. */
export function fitsArgument(value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= maxArgumentBytes;
}

export const tooLong = `is longer than ${maxArgumentBytes} bytes as JSON`;

/** Identity, for inference. */
export function defineOptions<const G extends OptionGroup>(group: G): G {
  return group;
}

export type OptionValues<G extends OptionGroup> = {
  readonly [K in keyof G]?: z.infer<G[K]['schema']> | undefined;
};
