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

/** Identity, for inference. */
export function defineOptions<const G extends OptionGroup>(group: G): G {
  return group;
}

export type OptionValues<G extends OptionGroup> = {
  readonly [K in keyof G]?: z.infer<G[K]['schema']> | undefined;
};
