import { isAbsolute } from 'node:path';

/** One operator setting, as data: flags, environment, help and docs are made from the table of these. */
export interface Setting<T> {
  readonly flag: string;
  /** The first is ours; a bare name from elsewhere may follow, whose bad values only warn. */
  readonly env: readonly [string, ...string[]];
  readonly fallback: T;
  /** Throws an Error that says what is accepted. */
  readonly parse: (text: string) => T;
  /** What a value looks like, for the help. */
  readonly shape: string;
  readonly doc: string;
}

type Common<T> = Pick<Setting<T>, 'flag' | 'env' | 'fallback' | 'doc'>;

export function integer(setting: Common<number> & { min: number; max: number }): Setting<number> {
  const { min, max, ...rest } = setting;
  return {
    ...rest,
    shape: 'number',
    parse(text) {
      const value = Number(text);
      if (text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max) return value;
      throw new Error(`must be a whole number from ${min} to ${max}`);
    },
  };
}

export function choice<const V extends string, F extends V | undefined>(
  setting: Common<V | F> & { values: readonly V[] },
): Setting<V | F> {
  const { values, ...rest } = setting;
  return {
    ...rest,
    shape: values.join('|'),
    parse(text) {
      const value = values.find((known) => known === text);
      if (value !== undefined) return value;
      throw new Error(`must be one of ${values.join(', ')}`);
    },
  };
}

export function flag(setting: Common<boolean>): Setting<boolean> {
  return {
    ...setting,
    shape: '0|1',
    parse(text) {
      if (['1', 'true'].includes(text)) return true;
      if (['0', 'false', ''].includes(text)) return false;
      throw new Error('must be 0 or 1');
    },
  };
}

export function text(setting: Common<string | undefined>): Setting<string | undefined> {
  return { ...setting, shape: 'path', parse: (value) => value };
}

export function path(setting: Common<string | undefined>): Setting<string | undefined> {
  return { ...setting, shape: 'path', parse: absolute };
}

export function paths(
  setting: Common<readonly string[]> & { separator: string },
): Setting<readonly string[]> {
  const { separator, ...rest } = setting;
  return {
    ...rest,
    shape: `path[${separator}path]`,
    parse: (value) =>
      value
        .split(separator)
        .filter((part) => part !== '')
        .map(absolute),
  };
}

/** A relative path would mean something else in each folder a client starts us in. */
function absolute(value: string): string {
  if (isAbsolute(value)) return value;
  throw new Error('must be an absolute path');
}

export function list(setting: Common<readonly string[] | undefined>): Setting<readonly string[] | undefined> {
  return {
    ...setting,
    shape: 'a,b',
    // A comma inside brackets belongs to a rule: `Bash(a,b)`.
    parse: (value) =>
      value
        .split(/,(?![^(]*\))/)
        .map((part) => part.trim())
        .filter((part) => part !== ''),
  };
}
