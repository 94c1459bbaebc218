import { isAbsolute } from 'node:path';

/** One operator setting, as data: flags, environment, file, help and docs are made from the table of these. */
export interface Setting<T> {
  readonly flag: string;
  /** The first is ours; a bare name from elsewhere may follow, whose bad values only warn. */
  readonly env: readonly [string, ...string[]];
  readonly fallback: T;
  /** From a flag or a variable. Throws an Error that says what is accepted. */
  readonly parse: (text: string) => T;
  /** From the config file, where values are JSON. Throws an Error that says what is accepted. */
  readonly fromJson: (value: unknown) => T;
  /** What a value looks like, for the help. */
  readonly shape: string;
  /** What a flag or a variable takes, and what the file takes: "must be …". */
  readonly accepts: { readonly text: string; readonly json: string };
  readonly doc: string;
  /** The value is never shown: not in errors, not in warnings, not by `claude-code-mcp config`. */
  readonly isSecret?: true;
}

type Common<T> = Pick<Setting<T>, 'flag' | 'env' | 'fallback' | 'doc'>;

export function integer(setting: Common<number> & { min: number; max: number }): Setting<number> {
  const { min, max, ...rest } = setting;
  const words = `a whole number from ${min} to ${max}`;
  const accepts = { text: words, json: `${words}, without quotes` };
  const isFine = (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  return {
    ...rest,
    shape: 'number',
    accepts,
    parse: (text) => recordOrThrow(text.trim() === '' ? undefined : Number(text), isFine, accepts.text),
    fromJson: (value) => recordOrThrow(value, isFine, accepts.json),
  };
}

/** A sum of money. */
export function amount(setting: Common<number | undefined>): Setting<number | undefined> {
  const words = 'a number, 0 or more, such as 2.50';
  const accepts = { text: words, json: `${words}, without quotes` };
  const isFine = (value: unknown): value is number =>
    typeof value === 'number' && Number.isFinite(value) && value >= 0;
  return {
    ...setting,
    shape: 'dollars',
    accepts,
    // Plain decimals only: 1e3 or 0x10 is more likely a slip than a sum of money.
    parse: (text) =>
      recordOrThrow(/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined, isFine, accepts.text),
    fromJson: (value) => recordOrThrow(value, isFine, accepts.json),
  };
}

export function choice<const V extends string, F extends V | undefined>(
  setting: Common<V | F> & { values: readonly V[] },
): Setting<V | F> {
  const { values, ...rest } = setting;
  const accepts = {
    text: `one of ${values.join(', ')}`,
    json: `one of ${values.map((value) => `"${value}"`).join(', ')}`,
  };
  const isFine = (value: unknown): value is V => values.some((known) => known === value);
  return {
    ...rest,
    shape: values.join('|'),
    accepts,
    parse: (text) => recordOrThrow(text, isFine, accepts.text),
    fromJson: (value) => recordOrThrow(value, isFine, accepts.json),
  };
}

/** Several of a few names, each once, in the order of the table. */
export function choices<const V extends string>(
  setting: Common<readonly V[]> & { values: readonly V[] },
): Setting<readonly V[]> {
  const { values, ...rest } = setting;
  const accepts = {
    text: `one or more of ${values.join(', ')}, separated by commas`,
    json: `an array with one or more of ${values.map((value) => `"${value}"`).join(', ')}`,
  };
  const areFine = (value: unknown): value is readonly V[] =>
    Array.isArray(value) && value.length > 0 && value.every((one) => values.some((known) => known === one));
  const inOrder = (chosen: readonly V[]): readonly V[] => values.filter((value) => chosen.includes(value));
  return {
    ...rest,
    shape: values.join(','),
    accepts,
    parse: (value) =>
      inOrder(
        recordOrThrow(
          value.split(',').map((part) => part.trim()),
          areFine,
          accepts.text,
        ),
      ),
    fromJson: (value) => inOrder(recordOrThrow(value, areFine, accepts.json)),
  };
}

export function flag(setting: Common<boolean>): Setting<boolean> {
  const accepts = { text: '0 or 1', json: 'true or false, without quotes' };
  const byText: ReadonlyMap<string, boolean> = new Map([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false],
    ['', false],
  ]);
  return {
    ...setting,
    shape: '0|1',
    accepts,
    parse: (text) => recordOrThrow(byText.get(text), isBoolean, accepts.text),
    fromJson: (value) => recordOrThrow(value, isBoolean, accepts.json),
  };
}

export function text(setting: Common<string | undefined>): Setting<string | undefined> {
  const accepts = { text: 'a path or a name', json: 'a path or a name, in quotes' };
  return {
    ...setting,
    shape: 'path',
    accepts,
    parse: (value) => value,
    fromJson: (value) => recordOrThrow(value, isFilled, accepts.json),
  };
}

/** Something only the operator may know; a short one could be guessed. */
export function secret(
  setting: Common<string | undefined> & { minLength: number },
): Setting<string | undefined> {
  const { minLength, ...rest } = setting;
  const words = `a text of at least ${minLength} characters`;
  const accepts = { text: words, json: `${words}, in quotes` };
  const isFine = (value: unknown): value is string =>
    typeof value === 'string' && value.trim().length >= minLength;
  return {
    ...rest,
    isSecret: true,
    shape: 'secret',
    accepts,
    parse: (value) => recordOrThrow(value, isFine, accepts.text),
    fromJson: (value) => recordOrThrow(value, isFine, accepts.json),
  };
}

export function path(setting: Common<string | undefined>): Setting<string | undefined> {
  const accepts = { text: 'an absolute path', json: 'an absolute path, in quotes' };
  return {
    ...setting,
    shape: 'path',
    accepts,
    parse: (value) => recordOrThrow(value, isAbsolutePath, accepts.text),
    fromJson: (value) => recordOrThrow(value, isAbsolutePath, accepts.json),
  };
}

export function paths(
  setting: Common<readonly string[]> & { separator: string },
): Setting<readonly string[]> {
  const { separator, ...rest } = setting;
  const accepts = {
    text: `an absolute path, or several separated by ${separator}`,
    json: 'an array of absolute paths',
  };
  const areFine = arrayOf(isAbsolutePath);
  return {
    ...rest,
    shape: `path[${separator}path]`,
    accepts,
    parse(value) {
      const found = value.split(separator).filter((part) => part !== '');
      // No path at all is more likely an empty variable of a script than the wish for the default, which may be wider.
      return recordOrThrow(found.length === 0 ? undefined : found, areFine, accepts.text);
    },
    fromJson: (value) => recordOrThrow(value, areFine, accepts.json),
  };
}

export function list(setting: Common<readonly string[] | undefined>): Setting<readonly string[] | undefined> {
  const accepts = { text: 'names separated by commas', json: 'an array of texts, none of them empty' };
  return {
    ...setting,
    shape: 'a,b',
    accepts,
    // A comma inside brackets belongs to a rule: `Bash(a,b)`.
    parse: (value) =>
      splitOutsideBrackets(value)
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    fromJson: (value) => recordOrThrow(value, arrayOf(isFilled), accepts.json).map((part) => part.trim()),
  };
}

function recordOrThrow<T>(value: unknown, isFine: (value: unknown) => value is T, accepted: string): T {
  if (isFine(value)) return value;
  throw new Error(`must be ${accepted}`);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** A relative path would mean something else in each folder a client starts us in. */
function isAbsolutePath(value: unknown): value is string {
  return typeof value === 'string' && isAbsolute(value);
}

function arrayOf<T>(isFine: (value: unknown) => value is T): (value: unknown) => value is readonly T[] {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(isFine);
}

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
