import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { metricsTarget } from './metrics-target.js';

/** One operator setting. Flags, variables, config file, help and docs are all made from the table of these. */
export interface Setting {
  readonly kind: Kind<unknown>;
  /** The first is ours. A bare name that other programs may use can follow; its bad values only warn. */
  readonly env: readonly [string, ...string[]];
  readonly fallback: boolean | number | string | readonly string[] | undefined;
  readonly doc: string;
  /** The value is never shown: not in errors, not in warnings, not by `claude-code-mcp config`. */
  readonly isSecret?: true;
}

/** What values a setting takes. */
export interface Kind<T> {
  /** Shown in the help: `--flag <shape>`. */
  readonly shape: string;
  /** Completes "must be …", for a flag or variable and for the config file. */
  readonly accepts: { readonly text: string; readonly json: string };
  /** A function, because building a schema for each setting would add milliseconds to every start. */
  readonly schema: () => z.ZodType<T>;
  /** The JSON value that the text of a flag or variable stands for. */
  readonly fromText: (text: string) => unknown;
}

/** Throws an Error that says what is accepted. */
export function parseText(kind: Kind<unknown>, text: string): unknown {
  return check(kind, kind.fromText(text), kind.accepts.text);
}

/** Throws an Error that says what is accepted. */
export function parseJsonValue(kind: Kind<unknown>, value: unknown): unknown {
  return check(kind, value, kind.accepts.json);
}

/** In our words: those of zod name neither the bounds nor the choices in one sentence. */
function check({ schema }: Kind<unknown>, value: unknown, accepted: string): unknown {
  const parsed = schema().safeParse(value);
  if (!parsed.success) throw new Error(`must be ${accepted}`);
  return parsed.data;
}

export function integer(min: number, max: number): Kind<number> {
  return {
    shape: 'number',
    accepts: both(`a whole number from ${min} to ${max}`, 'without quotes'),
    schema: () => z.int().min(min).max(max),
    fromText: (text) => (text.trim() === '' ? undefined : Number(text)),
  };
}

export const dollars: Kind<number> = {
  shape: 'dollars',
  accepts: both('a number, 0 or more, such as 2.50', 'without quotes'),
  schema: () => z.number().min(0),
  // Plain decimals only: 1e3 or 0x10 is more likely a typo than an amount.
  fromText: (text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined),
};

export function choice<const V extends string>(...values: readonly V[]): Kind<V> {
  return {
    shape: values.join('|'),
    accepts: { text: `one of ${values.join(', ')}`, json: `one of ${quoted(values)}` },
    schema: () => z.enum(values),
    fromText: (text) => text,
  };
}

/** Several of a few names, each once, in the order of the table. */
export function choices<const V extends string>(...values: readonly V[]): Kind<readonly V[]> {
  return {
    shape: values.join(','),
    accepts: {
      text: `one or more of ${values.join(', ')}, separated by commas`,
      json: `an array with one or more of ${quoted(values)}`,
    },
    schema: () =>
      z
        .array(z.enum(values))
        .min(1)
        .transform((chosen) => values.filter((value) => chosen.includes(value))),
    fromText: (text) => text.split(',').map((part) => part.trim()),
  };
}

export const onOff: Kind<boolean> = {
  shape: '0|1',
  accepts: { text: '0 or 1', json: 'true or false, without quotes' },
  schema: () => z.boolean(),
  fromText: (text) =>
    new Map([
      ['1', true],
      ['true', true],
      ['0', false],
      ['false', false],
      ['', false],
    ]).get(text),
};

export const executable: Kind<string> = {
  shape: 'path',
  accepts: both('a path or a name', 'in quotes'),
  schema: () => z.string().refine((text) => text.trim() !== ''),
  fromText: (text) => text,
};

/** Only the operator may know it; a short one could be guessed. */
export function secret(minLength: number): Kind<string> {
  return {
    shape: 'secret',
    accepts: both(`a text of at least ${minLength} characters`, 'in quotes'),
    schema: () => z.string().refine((text) => text.trim().length >= minLength),
    fromText: (text) => text,
  };
}

/** Absolute, because a relative path means something else in each folder that a client starts the server in. */
export const path: Kind<string> = {
  shape: 'path',
  accepts: both('an absolute path', 'in quotes'),
  schema: () => z.string().refine(isAbsolute),
  fromText: (text) => text,
};

export function paths(separator: string): Kind<readonly string[]> {
  return {
    shape: `path[${separator}path]`,
    accepts: {
      text: `an absolute path, or several separated by ${separator}`,
      json: 'an array of absolute paths',
    },
    schema: () => z.array(z.string().refine(isAbsolute)),
    fromText(text) {
      const found = text.split(separator).filter((part) => part !== '');
      // An empty list is more likely a script's empty variable than a request for the default, which may be wider.
      return found.length === 0 ? undefined : found;
    },
  };
}

export const toolRules: Kind<readonly string[]> = {
  shape: 'a,b',
  accepts: { text: 'names separated by commas', json: 'an array of texts, none of them empty' },
  schema: () => z.array(z.string().trim().min(1)),
  fromText: (text) => splitOutsideBrackets(text).filter((part) => part.trim() !== ''),
};

export const metricsOutput: Kind<string> = {
  shape: 'path|address',
  accepts: both(
    'off, an absolute path, or 127.0.0.1:PORT (also localhost:PORT, [::1]:PORT or :PORT)',
    'in quotes',
  ),
  schema: () => z.string().refine((text) => metricsTarget(text) !== undefined),
  fromText: (text) => text,
};

function both(words: string, inFile: string): Kind<unknown>['accepts'] {
  return { text: words, json: `${words}, ${inFile}` };
}

function quoted(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(', ');
}

/** A comma inside brackets belongs to a rule: `Bash(a,b)`. */
function splitOutsideBrackets(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (char === ',' && depth <= 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}
